internal import EntityStore
internal import ListDiffing

/// A section's header as two versions of a list are compared by it.
struct ComparedHeader: Diffable {
  /// The section's identity; nil for the one section of a flat list.
  let diffIdentifier: StoredValue?
  let title: String

  func isContentEqual(to other: ComparedHeader) -> Bool {
    // Titles are equal where their bytes are (S8).
    title.utf8.elementsEqual(other.title.utf8)
  }
}
