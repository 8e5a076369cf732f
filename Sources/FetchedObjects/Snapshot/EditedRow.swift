internal import EntityStore
internal import ListDiffing

/// A changed row on its way to the next snapshot.
struct EditedRow {
  /// Where it stands in a section that the editor has touched.
  struct Place {
    /// The position among the touched sections.
    let section: Int
    /// The position in the section, if the row was found there.
    var rank: Int?

    /// The path, by the section's position in the result.
    func path(in position: Int?) -> ListPath? {
      guard let position, let rank else { return nil }
      return ListPath(section: position, row: rank)
    }
  }

  let id: StoredValue
  /// Where it was, nil if it wasn't there or keeps its place.
  var old: Place?
  /// Where it is, nil if it has gone or keeps its place.
  var new: Place?

  init(_ id: StoredValue) { self.id = id }
}
