internal import FetchedObjects
internal import ListDiffing

/// One version of a list that is published.
protocol TrackedList: Sendable {
  /// Whether it has sections; a flat list is section 0, also where it is empty.
  var isSectioned: Bool { get }

  /// The title of each section.
  var sectionTitles: [String] { get }

  /// The number of rows of each section.
  var rowCounts: [Int] { get }

  /// Whether the other version is this one, and not only one with the same rows.
  ///
  /// - Complexity: O(1)
  func isIdentical(to other: Self) -> Bool

  /// The changes that lead from this version to another one, which may be that of another request.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of rows of both.
  func changes(to other: Self) -> ListChanges
}

extension FetchedObjectsSnapshot: TrackedList {
  var sectionTitles: [String] { sections.map(\.name) }
}
