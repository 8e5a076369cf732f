internal import EntityStore
internal import ListDiffing

/// A changed row on its way to the next snapshot.
struct EditedRow {
  /// A position in a section that the editor has touched.
  struct Place {
    /// The position among the touched sections.
    let section: Int
    /// The position in the section, if the row was found there.
    var rank: Int?

    /// Returns the path, given the section's position in the result.
    func path(in position: Int?) -> ListPath? {
      guard let position, let rank else { return nil }
      return ListPath(section: position, row: rank)
    }
  }

  let id: StoredValue
  /// The old position; nil if the row wasn't in the result or keeps its place.
  var old: Place?
  /// The new position; nil if the row is removed or keeps its place.
  var new: Place?

  init(_ id: StoredValue) { self.id = id }
}
