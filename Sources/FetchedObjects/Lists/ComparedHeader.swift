internal import ListDiffing

/// A section header, for the comparison of two versions of a list.
struct ComparedHeader: Diffable {
  /// The section's id, and whether it is the only section of a flat list or part.
  ///
  /// Such a section isn't the same as that of a nil key.
  struct Identifier: Hashable, Sendable {
    let id: SectionID
    let isFlat: Bool
  }

  let diffIdentifier: Identifier
  let title: String

  init(_ header: ListHeader) {
    diffIdentifier = Identifier(id: header.id, isFlat: header.staysWhenEmpty)
    title = header.key.title
  }

  func isContentEqual(to other: ComparedHeader) -> Bool {
    // Titles are equal if their bytes are equal (S8).
    title.utf8.elementsEqual(other.title.utf8)
  }
}
