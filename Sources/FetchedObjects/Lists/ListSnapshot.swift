public import ListDiffing
internal import Locking

/// One version of a list: its rows in order and in sections.
///
///     let snapshot = cars.snapshot
///     for section in snapshot.sections {
///       print(section.name, section.count)
///       for car in section { print(car.model) }
///     }
///
/// The rows of a ``FetchedObjectsModel`` are ``EntityView``s. Those of a ``DerivedModel`` are of
/// the type that its closure returns. Those of an ``IndexedObjectsModel`` are ``IndexedRow``s.
///
/// A snapshot is immutable. Copying and keeping it costs O(1). Versions share their equal parts.
public struct ListSnapshot<Row: Diffable & Sendable>: Sendable {
  let content: any ListContent<Row>

  /// The version of the store that last changed the list.
  ///
  /// If the list comes from several stores, it is the highest of their versions.
  public var version: Int64 { content.version }

  /// The number of rows.
  public var count: Int { content.count }

  /// True if there are no rows.
  public var isEmpty: Bool { content.count == 0 }

  /// The sections, in order.
  ///
  /// A list without sections has one section, titled "", even if it is empty.
  public var sections: SectionList<Row> { SectionList(content: content) }

  /// Returns the section with an id, or nil if it isn't in the list.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections, or O(log *s*) in a result
  ///   whose sections are ordered by their identities.
  public func section(for id: SectionID) -> SectionInfo<Row>? {
    content.section(id).map { SectionInfo(content, $0) }
  }

  /// The row at a path.
  ///
  /// - Precondition: The path is in the snapshot.
  /// - Complexity: O(log *n*) where *n* is the number of rows, or that of the source's rows.
  public subscript(path: ListPath) -> Row {
    if !contains(path) { noRow(path) }
    return content.row(at: path)
  }

  // Separate from the look-up. Keeping the content for the message would cost more than the
  // look-up.
  @inline(never) private func noRow(_ path: ListPath) -> Never {
    mistake("There is no row at \(path); the snapshot has \(rowCounts) rows")
  }

  /// Returns true if a path is in the snapshot.
  ///
  /// - Complexity: O(log *s*) where *s* is the number of sections.
  public func contains(_ path: ListPath) -> Bool {
    path.section >= 0 && path.row >= 0 && path.section < content.sectionCount
      && path.row < content.rowCount(path.section)
  }

  /// The number of rows of each section.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public var rowCounts: [Int] { (0..<content.sectionCount).map(content.rowCount) }

  /// All rows, in order.
  ///
  /// - Complexity: O(*n*) where *n* is the number of rows, or that of the source's rows.
  public var rows: [Row] { (0..<content.sectionCount).flatMap(content.rows) }

  /// Returns the path of the first row with an identifier, or nil if it isn't in the list.
  ///
  /// - Complexity: O(log *n*) in the result of a query, where *n* is the number of objects. O(*n*)
  ///   in other lists.
  public func path(for id: Row.DiffIdentifier) -> ListPath? { content.path(of: id) }

  /// Returns the first row with an identifier, or nil if it isn't in the list.
  ///
  /// - Complexity: The same as that of ``path(for:)``.
  public func row(for id: Row.DiffIdentifier) -> Row? { content.row(for: id) }

  /// The number of rows of the list before those that are shown, or 0 without a window.
  public var rowsBefore: Int { content.rowsBefore }

  /// The number of rows of the list after those that are shown, or 0 without a window.
  public var rowsAfter: Int { content.totalCount - content.rowsBefore - content.count }

  /// The number of rows of the whole list, inside and outside the window.
  public var totalCount: Int { content.totalCount }

  /// The titles of the section index: the first characters of the sections' titles, in upper case,
  /// each once, in order.
  ///
  /// A section titled "" has none.
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
