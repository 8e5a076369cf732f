internal import EntityStore
internal import FetchedObjects
internal import ListDiffing

/// One version of a list that is published.
protocol TrackedList: Sendable {
  associatedtype Row

  /// A flat list is section 0, even if it is empty.
  var isSectioned: Bool { get }

  var sectionTitles: [String] { get }

  /// The number of rows in each section.
  var rowCounts: [Int] { get }

  /// The row at a path that is in the list.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of rows.
  subscript(path: ListPath) -> Row { get }

  /// The rows of each section.
  ///
  /// - Complexity: O(*n* + *s* log *s*), where *n* is the number of rows and *s* the number of
  ///   sections.
  var rowsBySection: [[Row]] { get }

  /// Returns true if `other` is this version, and not only a version with the same rows.
  ///
  /// - Complexity: O(1)
  func isIdentical(to other: Self) -> Bool

  /// Returns the changes from this version to another one, which may belong to another request.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of rows of both.
  func changes(to other: Self) -> ListChanges
}

extension TrackedList {
  /// The changes from an empty list to this one: insertions of all rows, and of all sections unless
  /// it is flat.
  var insertions: ListChanges {
    let counts = rowCounts
    return ListChanges(
      insertedSections: isSectioned ? Array(counts.indices) : [],
      inserts: counts.indices.flatMap { section in
        (0..<counts[section]).map { ListPath(section: section, row: $0) }
      })
  }
}

extension ListSnapshot: TrackedList {
  var sectionTitles: [String] { sections.map(\.name) }
  var rowsBySection: [[Row]] { sections.map(\.rows) }
}

/// One version of an index-only list, with the model that reads its objects.
struct TrackedIndex<E: Entity>: TrackedList {
  let model: IndexedObjectsModel<E>
  let snapshot: ListSnapshot<IndexedRow>

  var isSectioned: Bool { snapshot.isSectioned }
  var sectionTitles: [String] { snapshot.sectionTitles }
  var rowCounts: [Int] { snapshot.rowCounts }

  /// No object is read for a batch.
  subscript(path: ListPath) -> Void { () }

  var rowsBySection: [[Void]] { rowCounts.map { Array(repeating: (), count: $0) } }

  func isIdentical(to other: TrackedIndex) -> Bool { snapshot.isIdentical(to: other.snapshot) }

  func changes(to other: TrackedIndex) -> ListChanges { snapshot.changes(to: other.snapshot) }
}
