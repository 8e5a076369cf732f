internal import EntityStore
internal import ListDiffing

/// A section header, for the comparison of two versions of a list.
struct ComparedHeader: Diffable {
  /// The section's id, or nil for the only section of a flat list.
  let diffIdentifier: SectionID?
  let title: String

  init(_ header: ListHeader) {
    diffIdentifier = header.staysWhenEmpty ? nil : header.id
    title = header.key.title
  }

  func isContentEqual(to other: ComparedHeader) -> Bool {
    // Titles are equal if their bytes are equal (S8).
    title.utf8.elementsEqual(other.title.utf8)
  }
}
