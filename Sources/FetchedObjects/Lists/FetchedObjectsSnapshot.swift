public import EntityStore
public import ListDiffing
internal import Locking

/// The sorted, sectioned result of a query at one version of the store.
///
///     let snapshot = cars.snapshot
///     for section in snapshot.sections {
///       print(section.name, section.count)
///       for car in section { print(car.model) }
///     }
///
/// A snapshot is immutable. Copying and keeping it costs O(1). Versions share their equal parts.
public struct FetchedObjectsSnapshot<E: Entity>: Sendable {
  let result: ResultView

  /// The version of the store that last changed the result.
  public var version: Int64 { result.version }

  /// The number of objects.
  public var count: Int { result.count }

  /// True if there are no objects.
  public var isEmpty: Bool { result.count == 0 }

  /// The sections, in order.
  ///
  /// A result without sections has one section, titled "", even if it is empty.
  public var sections: SectionList<E> { SectionList(result: result) }

  /// Returns the section with an id, or nil if it isn't in the snapshot.
  ///
  /// - Complexity: O(log *s*) where *s* is the number of sections, or O(*s*) if the sections aren't
  ///   ordered by their identities.
  public func section(for id: SectionID) -> SectionInfo<E>? {
    section(id).map { SectionInfo(result, $0) }
  }

  /// The object at a path, with the included values of related objects.
  ///
  /// - Precondition: the path is in the snapshot.
  /// - Complexity: O(log *n*) where *n* is the number of objects.
  public subscript(path: ListPath) -> EntityView<E> {
    if !contains(path) { noRow(path) }
    return EntityView(result.row(at: path), result.plan)
  }

  // Separate from the look-up. Keeping the result for the message would cost more than the look-up.
  @inline(never) private func noRow(_ path: ListPath) -> Never {
    mistake("There is no row at \(path); the snapshot has \(rowCounts) rows")
  }

  /// Returns true if a path is in the snapshot.
  public func contains(_ path: ListPath) -> Bool { result.contains(path) }

  /// The number of rows of each section.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public var rowCounts: [Int] {
    (0..<result.sectionCount).map { result.rows(ofSection: $0).count }
  }

  /// The number of objects of the result before the window, or 0 without a window.
  public var rowsBefore: Int { result.rowsBefore }

  /// The number of objects in the whole result, inside and outside the window.
  public var totalCount: Int { result.totalCount }

  /// Returns the path of the object with an id, or nil if it isn't in the result.
  ///
  /// - Complexity: O(log *n*) where *n* is the number of objects.
  public func path(for id: E.ID) -> ListPath? { result.path(of: E.schema.stored(id)) }

  /// Returns the object with an id and the included values of related objects, or nil if it isn't
  /// in the result.
  public func view(for id: E.ID) -> EntityView<E>? {
    result.row(E.schema.stored(id)).map { EntityView($0, result.plan) }
  }

  /// The shown objects, in order.
  ///
  /// Each is read on access.
  ///
  /// - Complexity: O(1)
  public var fetchedObjects: FetchedObjectList<E> { FetchedObjectList(result: result) }

  /// The shown rows, in order: the objects with the included values of related objects.
  ///
  /// - Complexity: O(*n*) where *n* is the number of objects.
  public var rows: [EntityView<E>] { (0..<result.sectionCount).flatMap { rows($0) } }

  /// The titles of the section index: the first characters of the sections' titles, each once, in
  /// order.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public var sectionIndexTitles: [String] { sectionIndex.titles }

  /// Returns the section that an entry of the section index leads to.
  ///
  /// - Precondition: `index` is a position in `sectionIndexTitles`, and `title` is the title at
  ///   that position.
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    sectionIndex.section(titled: title, at: index)
  }

  private var sectionIndex: SectionIndex { SectionIndex(sections.lazy.map(\.indexTitle)) }
}
