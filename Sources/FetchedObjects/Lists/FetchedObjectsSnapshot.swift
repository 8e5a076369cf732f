public import EntityStore
public import ListDiffing
internal import Locking

/// The sorted, sectioned result of a query at one version of the store.
///
/// A snapshot is immutable and O(1) to copy and keep; the versions share what is the same.
public struct FetchedObjectsSnapshot<E: Entity>: Sendable {
  let result: ResultView

  /// The version of the store that the result was last changed by.
  public var version: Int64 { result.version }

  /// The number of objects.
  public var count: Int { result.count }

  /// Whether there are no objects.
  public var isEmpty: Bool { result.count == 0 }

  /// The sections, in order.
  ///
  /// A result without sections is one section, titled "", also when empty.
  public var sections: SectionList<E> { SectionList(result: result) }

  /// The section with an id, or nil if it isn't in the snapshot.
  ///
  /// - Complexity: O(log *s*) where *s* is the number of sections; O(*s*) if they have an order of their
  ///   own.
  public func section(for id: SectionID) -> SectionInfo<E>? {
    section(id).map { SectionInfo(result, $0) }
  }

  /// The object at a path, with what the query includes of related ones.
  ///
  /// - Precondition: the path is in the snapshot.
  /// - Complexity: O(log *n*) where *n* is the number of objects.
  public subscript(path: ListPath) -> EntityView<E> {
    if !contains(path) { noRow(path) }
    return EntityView(result.row(at: path), result.plan)
  }

  // Not a part of the look-up: what the sentence keeps of the result would cost more than that.
  @inline(never) private func noRow(_ path: ListPath) -> Never {
    mistake("There is no row at \(path); the snapshot has \(rowCounts) rows")
  }

  /// Whether a path is in the snapshot.
  public func contains(_ path: ListPath) -> Bool { result.contains(path) }

  /// The number of rows of each section.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public var rowCounts: [Int] {
    (0..<result.sectionCount).map { result.rows(ofSection: $0).count }
  }

  /// How many objects of the result stand before those of the window; 0 without one.
  public var rowsBefore: Int { result.rowsBefore }

  /// How many objects the whole result has, in the window or not.
  public var totalCount: Int { result.totalCount }

  /// The path of the object with an id, or nil if it isn't in the result.
  ///
  /// - Complexity: O(log *n*) where *n* is the number of objects.
  public func path(for id: E.ID) -> ListPath? { result.path(of: E.schema.stored(id)) }

  /// The object with an id, with what the query includes of related ones; nil if it isn't in the result.
  public func view(for id: E.ID) -> EntityView<E>? {
    result.row(E.schema.stored(id)).map { EntityView($0, result.plan) }
  }

  /// All objects that are shown, in order, read when they are asked for.
  ///
  /// - Complexity: O(1)
  public var fetchedObjects: FetchedObjectList<E> { FetchedObjectList(result: result) }

  /// All rows that are shown, in order: the objects with what the query includes of related ones.
  ///
  /// - Complexity: O(*n*) where *n* is the number of objects.
  public var rows: [EntityView<E>] { (0..<result.sectionCount).flatMap { rows($0) } }

  /// What a list's index shows: the first characters of the sections' titles, each once, in order.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public var sectionIndexTitles: [String] { sectionIndex.titles }

  /// The section that an entry of the index leads to.
  ///
  /// - Precondition: `index` is a position of `sectionIndexTitles`, and `title` is what stands there.
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    sectionIndex.section(titled: title, at: index)
  }

  private var sectionIndex: SectionIndex { SectionIndex(sections.lazy.map(\.indexTitle)) }
}
