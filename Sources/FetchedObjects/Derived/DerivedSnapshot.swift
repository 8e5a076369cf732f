internal import EntityStore
public import ListDiffing
internal import Locking

/// One version of a derived list.
///
///     let snapshot = rows.snapshot
///     for section in snapshot.sections {
///       print(section.name, section.count)
///       for row in section { print(row.title) }
///     }
///
/// A snapshot is immutable. Copying and keeping it costs O(1). Versions share their equal parts.
public struct DerivedSnapshot<Row: Diffable & Sendable>: Sendable {
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
  public var sections: DerivedSectionList<Row> { DerivedSectionList(content: content) }

  /// Returns the section with an id, or nil if it isn't in the list.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public func section(for id: SectionID) -> DerivedSection<Row>? {
    content.section(id).map { sections[$0] }
  }

  /// The number of rows of each section.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public var rowCounts: [Int] { (0..<content.sectionCount).map(content.rowCount) }

  /// Returns true if a path is in the snapshot.
  public func contains(_ path: ListPath) -> Bool {
    path.section >= 0 && path.row >= 0 && path.section < content.sectionCount
      && path.row < content.rowCount(path.section)
  }

  /// The row at a path.
  ///
  /// - Precondition: the path is in the snapshot.
  /// - Complexity: O(log *n*) where *n* is the number of rows of the source.
  public subscript(path: ListPath) -> Row {
    if !contains(path) { noRow(path) }
    return content.row(at: path)
  }

  // This isn't part of the look-up, which would become slower by keeping the values that the
  // message needs.
  @inline(never) private func noRow(_ path: ListPath) -> Never {
    mistake("There is no row at \(path); the snapshot has \(rowCounts) rows")
  }

  /// All rows, in order.
  ///
  /// - Complexity: O(*n*) where *n* is the number of rows of the source.
  public var rows: [Row] { (0..<content.sectionCount).flatMap(content.rows) }

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
