internal import ListDiffing

/// One version of a list that is told to somebody.
protocol TrackedList: Sendable {
  /// Whether it has sections; a flat list is section 0, also where it is empty.
  var isSectioned: Bool { get }

  /// The title of each section.
  var sectionTitles: [String] { get }

  /// The number of rows of each section.
  var rowCounts: [Int] { get }

  /// Whether this is the other version, not merely one with the same rows.
  ///
  /// - Complexity: O(1)
  func isIdentical(to other: Self) -> Bool

  /// What leads from this version to another, which may be one of another request.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows of both.
  func changes(to other: Self) -> ListChanges
}

/// A section's header as two versions of a list are compared by it.
struct TrackedHeader<Identity: Hashable & Sendable>: Diffable {
  /// What tells it from others; nil for the one section of a flat list.
  let diffIdentifier: Identity?
  let title: String

  func isContentEqual(to other: TrackedHeader) -> Bool {
    // Titles are equal where their bytes are (S8).
    title.utf8.elementsEqual(other.title.utf8)
  }
}
