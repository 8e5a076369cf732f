internal import EntityStore
internal import ListDiffing

/// A result as a model shows it: the whole result, or a window of it.
///
/// A window near the beginning or the end, or around a row, is a range of the rows near it
/// (``NearRows``). A window further inside has its own rows (``WindowSource``), and shows all of
/// them. If sums of all rows are requested, or if the storage can't determine the order alone, a
/// window is a range of the whole result.
///
/// Paths are relative to the window: its first row is the first one of its first section. A section
/// is in the window while one of its rows is (F7).
final class ResultView: Sendable {
  let base: ResultSnapshot
  let window: ResultWindow?
  /// The path of the first row that is shown, and the path after the last one.
  private let first: ListPath
  private let end: ListPath
  /// The number of rows that are shown.
  let count: Int
  /// The number of sections that are shown.
  let sectionCount: Int

  /// - Complexity: O(log *n*)
  init(_ base: ResultSnapshot, _ window: ResultWindow?) {
    self.base = base
    self.window = window
    let sections = base.sections
    guard let window else {
      first = ListPath(section: 0, row: 0)
      end = ListPath(section: sections.count, row: 0)
      count = base.count
      sectionCount = sections.count
      return
    }
    let positions = window.positions(of: base.count)
    count = positions.count
    guard !positions.isEmpty else {
      first = ListPath(section: 0, row: 0)
      end = first
      // A result without sections is one section, even if it is empty.
      sectionCount = base.plan.sectionOrder.isEmpty ? 1 : 0
      return
    }
    let lower = sections.path(ofRow: positions.lowerBound)
    let last = sections.path(ofRow: positions.upperBound - 1)
    first = lower
    end = ListPath(section: last.section, row: last.row + 1)
    sectionCount = last.section - lower.section + 1
  }

  var plan: ResultPlan { base.plan }
  var version: Int64 { base.version }

  /// The number of rows of the result before those that are shown.
  var rowsBefore: Int { (base.extent?.rowsBefore ?? 0) + offset }

  /// The number of rows of the whole result.
  var totalCount: Int { base.totalCount }

  // MARK: Sections

  /// Returns the key of the section at a position.
  func key(ofSection section: Int) -> SectionKey {
    // An empty window of a result without sections may belong to a result with rows.
    base.sections.count > section + first.section
      ? base.sections[section + first.section].key : .only
  }

  /// Returns the tree of the section at a position.
  func tree(ofSection section: Int) -> RankTree {
    base.sections.count > section + first.section
      ? base.sections[section + first.section].rows : RankTree()
  }

  /// Returns the positions, in the section's tree, of those of its rows that are shown.
  func rows(ofSection section: Int) -> Range<Int> {
    if window == nil { return 0..<base.sections[section].rows.count }
    if count == 0 { return 0..<0 }
    let position = section + first.section
    let lower = section == 0 ? first.row : 0
    let upper = position == end.section ? end.row : base.sections[position].rows.count
    return lower..<upper
  }

  /// Returns the position of the section with a key, or nil if none of its rows is shown.
  func section(_ key: SectionKey) -> Int? {
    guard let section = base.section(key) else { return nil }
    let position = section - first.section
    return position >= 0 && position < sectionCount ? position : nil
  }

  // MARK: Rows

  /// Returns the row at a path that is shown.
  ///
  /// - Complexity: O(log *n*)
  func row(at path: ListPath) -> ResultRow {
    base.row(
      at: ListPath(
        section: path.section + first.section,
        row: path.row + (path.section == 0 ? first.row : 0)))
  }

  /// Returns the path of the row at a position among those that are shown.
  ///
  /// - Complexity: O(log *s*) where *s* is the number of sections.
  func path(ofPosition position: Int) -> ListPath {
    let path = base.sections.path(ofRow: position + offset)
    let section = path.section - first.section
    return ListPath(section: section, row: section == 0 ? path.row - first.row : path.row)
  }

  /// Returns the position, among the rows that are shown, of the row at a path.
  ///
  /// - Complexity: O(log *s*) where *s* is the number of sections.
  func position(of path: ListPath) -> Int {
    base.sections.weight(before: path.section + first.section) + path.row
      + (path.section == 0 ? first.row : 0) - offset
  }

  /// The number of the base's rows before those that are shown.
  private var offset: Int { window.map { $0.positions(of: base.count).lowerBound } ?? 0 }

  /// Returns the row at a position among those that are shown.
  ///
  /// - Complexity: O(log *n*)
  func row(_ position: Int) -> ResultRow {
    base.row(position + offset)
  }

  /// Returns the row with an id, or nil if it isn't shown.
  func row(_ id: StoredValue) -> ResultRow? {
    guard let row = base.row(id) else { return nil }
    return window == nil || path(of: row) != nil ? row : nil
  }

  /// Returns the path of a row of the result, or nil if it isn't shown.
  ///
  /// - Complexity: O(log *n*) comparisons.
  func path(of row: ResultRow) -> ListPath? {
    let path = base.path(of: row)
    guard window != nil else { return path }
    guard path >= first && path < end else { return nil }
    let section = path.section - first.section
    return ListPath(section: section, row: section == 0 ? path.row - first.row : path.row)
  }

  /// Returns the path of the object with an id, or nil if it isn't shown.
  func path(of id: StoredValue) -> ListPath? { base.row(id).flatMap { path(of: $0) } }

  /// Returns true if a path is shown.
  func contains(_ path: ListPath) -> Bool {
    path.section >= 0 && path.section < sectionCount && path.row >= 0
      && path.row < rows(ofSection: path.section).count
  }

  /// Calls `body` with each row that is shown, in order.
  func forEach(_ body: (ResultRow) throws -> Void) rethrows {
    for section in 0..<sectionCount where count > 0 {
      try base.sections[section + first.section].rows.forEach(in: rows(ofSection: section)) {
        try body(base.row($0))
      }
    }
  }

  /// Calls `body` with the slot and the path of each row that is shown, in order.
  func forEachPath(_ body: (Int, ListPath) throws -> Void) rethrows {
    for section in 0..<sectionCount where count > 0 {
      var row = 0
      try base.sections[section + first.section].rows.forEach(in: rows(ofSection: section)) {
        try body(Int($0.slot), ListPath(section: section, row: row))
        row += 1
      }
    }
  }
}
