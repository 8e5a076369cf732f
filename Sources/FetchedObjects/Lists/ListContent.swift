internal import EntityStore
internal import ListDiffing
internal import Locking

/// A version of a list from which others are derived.
protocol ListContent<Row>: Sendable {
  associatedtype Row: Sendable

  /// The value that distinguishes this version from all others.
  var key: ListKey { get }
  /// The version of the store that last changed the list.
  var version: Int64 { get }
  var count: Int { get }
  var sectionCount: Int { get }
  func header(_ section: Int) -> ListHeader
  func rowCount(_ section: Int) -> Int
  /// Returns the position of a section, or nil if it isn't in the list.
  func section(_ id: SectionID) -> Int?
  /// Returns the row at a path that is in the list.
  ///
  /// - Complexity: O(log n)
  func row(at path: ListPath) -> Row
  /// Returns the rows of a section, in O(n).
  func rows(_ section: Int) -> [Row]
}

extension ListContent {
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  func section(_ id: SectionID) -> Int? {
    (0..<sectionCount).first { header($0).id == id }
  }
}
