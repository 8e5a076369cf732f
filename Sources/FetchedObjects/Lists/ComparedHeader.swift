internal import EntityStore
internal import ListDiffing

/// A section header, for the comparison of two versions of a list.
struct ComparedHeader: Diffable {
  /// The section's identity, or nil for the only section of a flat list.
  let diffIdentifier: StoredValue?
  let title: String

  func isContentEqual(to other: ComparedHeader) -> Bool {
    // Titles are equal if their bytes are equal (S8).
    title.utf8.elementsEqual(other.title.utf8)
  }
}
