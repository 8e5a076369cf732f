internal import EntityStore
internal import ListDiffing
internal import Locking

/// One version of a list that others are derived from.
protocol ListContent<Row>: Sendable {
  associatedtype Row: Sendable

  /// What tells this version from all others.
  var key: ListKey { get }
  /// The version of the store that the list was last changed by.
  var version: Int64 { get }
  var count: Int { get }
  var sectionCount: Int { get }
  func header(_ section: Int) -> ListHeader
  func rowCount(_ section: Int) -> Int
  /// The position of a section, if it is in the list.
  func section(_ id: SectionID) -> Int?
  /// The row at a path that is in the list.
  ///
  /// - Complexity: O(log n)
  func row(at path: ListPath) -> Row
  /// The rows of a section, in O(n).
  func rows(_ section: Int) -> [Row]
}

extension ListContent {
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  func section(_ id: SectionID) -> Int? {
    (0..<sectionCount).first { header($0).id == id }
  }
}
