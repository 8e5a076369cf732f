internal import EntityStore
public import ListDiffing
internal import Locking

/// The order, the sections and the counts of an index-only result, at one version of the store.
///
///     let snapshot = cars.snapshot
///     print(snapshot.count, snapshot.sectionIndexTitles)
///     let path = snapshot.path(at: snapshot.count - 1)
///
/// A snapshot is immutable. Copying and keeping it costs O(1). It has no objects and no ids. The
/// model reads them at the newest version.
public struct IndexedObjectsSnapshot: Sendable {
  let index: IndexSnapshot

  /// The version of the store that last changed the result.
  public var version: Int64 { index.version }

  /// The number of rows.
  public var count: Int { index.count }

  /// True if there are no rows.
  public var isEmpty: Bool { index.count == 0 }

  /// The sections, in order.
  ///
  /// A result without sections has one section, titled "", even if it is empty.
  public var sections: IndexedSectionList { IndexedSectionList(sections: index.sections) }

  /// The number of rows of each section.
  ///
  /// - Complexity: O(*s*) where *s* is the number of sections.
  public var rowCounts: [Int] { index.sections.array.map(\.rows.count) }

  /// Returns true if a path is in the snapshot.
  public func contains(_ path: ListPath) -> Bool { index.contains(path) }

  /// Returns the path of the row at a position, counted over all sections.
  ///
  /// - Precondition: A row exists at that position.
  /// - Complexity: O(log *s*) where *s* is the number of sections.
  public func path(at position: Int) -> ListPath {
    let count = count
    mustHold(
      position >= 0 && position < count, "There is no row \(position); there are \(count)")
    let place = index.sections.section(holdingRow: position)
    return ListPath(section: place.section, row: place.row)
  }

  /// Returns the number of rows before the one at a path, counted over all sections.
  ///
  /// - Precondition: the path is in the snapshot.
  /// - Complexity: O(log *s*) where *s* is the number of sections.
  public func position(of path: ListPath) -> Int {
    if !contains(path) { noRow(path) }
    return index.sections.rowCount(before: path.section) + path.row
  }

  // Separate from the look-up. Keeping the result for the message would cost more than the look-up.
  @inline(never) private func noRow(_ path: ListPath) -> Never {
    mistake("There is no row at \(path); the snapshot has \(rowCounts) rows")
  }

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
