internal import EntityStore
public import ListDiffing
internal import Locking

/// The order, the sections and the counts of an index-only result, at one version of the store.
///
/// A snapshot is immutable and O(1) to copy and keep. It has no objects and no ids: the model reads
/// those, at the newest version.
public struct IndexedObjectsSnapshot: Sendable {
  let index: IndexSnapshot

  /// The version of the store that the result was last changed by.
  public var version: Int64 { index.version }

  /// The number of rows.
  public var count: Int { index.count }

  /// Whether there are no rows.
  public var isEmpty: Bool { index.count == 0 }

  /// The sections, in order.
  ///
  /// A result without sections is one section, titled "", also when empty.
  public var sections: IndexedSectionList { IndexedSectionList(sections: index.sections) }

  /// The number of rows of each section.
  ///
  /// - Complexity: O(*s*) where *s* is the number of sections.
  public var rowCounts: [Int] { index.sections.array.map(\.rows.count) }

  /// Whether a path is in the snapshot.
  public func contains(_ path: ListPath) -> Bool { index.contains(path) }

  /// The path of the row that so many others stand before.
  ///
  /// - Precondition: there is such a row.
  /// - Complexity: O(log *s*) where *s* is the number of sections.
  public func path(at position: Int) -> ListPath {
    let count = count
    mustHold(
      position >= 0 && position < count, "There is no row \(position); there are \(count)")
    let place = index.sections.section(holdingRow: position)
    return ListPath(section: place.section, row: place.row)
  }

  /// How many rows stand before the one at a path.
  ///
  /// - Precondition: the path is in the snapshot.
  /// - Complexity: O(log *s*) where *s* is the number of sections.
  public func position(of path: ListPath) -> Int {
    if !contains(path) { noRow(path) }
    return index.sections.rowCount(before: path.section) + path.row
  }

  // Not a part of the look-up: what the sentence keeps of the result would cost more than that.
  @inline(never) private func noRow(_ path: ListPath) -> Never {
    mistake("There is no row at \(path); the snapshot has \(rowCounts) rows")
  }

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
