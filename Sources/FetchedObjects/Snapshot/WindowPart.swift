internal import EntityStore
internal import ListDiffing

/// The part of a result's rows that a window shows, by the paths of its first and last row.
struct WindowPart: Sendable {
  let window: ResultWindow?
  /// The path of the first row that is shown, and the path after the last one.
  let first: ListPath
  let end: ListPath
  let count: Int
  let sectionCount: Int

  /// - Complexity: O(log *n*)
  init(_ window: ResultWindow?, of sections: SectionTree, in plan: ResultPlan) {
    self.window = window
    guard let window else {
      first = ListPath(section: 0, row: 0)
      end = ListPath(section: sections.count, row: 0)
      count = sections.weight
      sectionCount = sections.count
      return
    }
    let positions = window.positions(of: sections.weight)
    count = positions.count
    guard !positions.isEmpty else {
      first = ListPath(section: 0, row: 0)
      end = first
      // A result without sections is one section, even if it is empty.
      sectionCount = plan.sectionOrder.isEmpty ? 1 : 0
      return
    }
    let lower = sections.path(ofRow: positions.lowerBound)
    let last = sections.path(ofRow: positions.upperBound - 1)
    first = lower
    end = ListPath(section: last.section, row: last.row + 1)
    sectionCount = last.section - lower.section + 1
  }
}

/// A result of which a window may show a part.
///
/// The result may itself be a part of a query's result: the rows near a window.
///
/// Paths are relative to the window: its first row is the first one of its first section. A section
/// is in the window while one of its rows is (F7).
protocol WindowedResult: Sendable {
  var plan: ResultPlan { get }
  var version: Int64 { get }
  /// The sections of the rows that are kept, shown or not.
  var sections: SectionTree { get }
  var part: WindowPart { get }
  /// The number of rows of the query before those that are shown.
  var rowsBefore: Int { get }
  /// The number of rows of the query, shown or not.
  var totalCount: Int { get }
}

extension WindowedResult {
  var window: ResultWindow? { part.window }

  /// The number of rows that are shown.
  var count: Int { part.count }

  /// The number of sections that are shown.
  var sectionCount: Int { part.sectionCount }

  /// The number of rows that are kept before those that are shown.
  var offset: Int { part.window.map { $0.positions(of: sections.weight).lowerBound } ?? 0 }

  // MARK: Sections

  func key(ofSection section: Int) -> SectionKey {
    // An empty window of a result without sections may belong to a result with rows.
    sections.count > section + part.first.section
      ? sections[section + part.first.section].key : .only
  }

  func tree(ofSection section: Int) -> RankTree {
    sections.count > section + part.first.section
      ? sections[section + part.first.section].rows : RankTree()
  }

  /// Returns the positions, in the section's tree, of those of its rows that are shown.
  func rows(ofSection section: Int) -> Range<Int> {
    if part.window == nil { return 0..<sections[section].rows.count }
    if part.count == 0 { return 0..<0 }
    let position = section + part.first.section
    let lower = section == 0 ? part.first.row : 0
    let upper = position == part.end.section ? part.end.row : sections[position].rows.count
    return lower..<upper
  }

  /// Returns the position of the section with a key, or nil if none of its rows is shown.
  func section(_ key: SectionKey) -> Int? {
    guard let section = sections.section(key, in: plan) else { return nil }
    let position = section - part.first.section
    return position >= 0 && position < part.sectionCount ? position : nil
  }

  /// Returns the positions, here and in another result, of the sections that both show.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  func sections(in other: Self) -> [(here: Int, there: Int)] {
    var places: [StoredValue: Int] = [:]
    for section in 0..<other.sectionCount {
      places[other.key(ofSection: section).identity] = section
    }
    return (0..<sectionCount).compactMap { section in
      places[key(ofSection: section).identity].map { (section, $0) }
    }
  }

  /// Returns the positions of the sections that both show, if another query orders them by another
  /// value.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections; O(1) for the same query.
  func reordered(since other: Self) -> [Int] {
    if plan === other.plan { return [] }
    return sections(in: other).compactMap { section, old in
      key(ofSection: section).order == other.key(ofSection: old).order ? nil : section
    }
  }

  // MARK: Paths

  /// Returns the path among the rows that are kept of the row at a path that is shown.
  func wholePath(of path: ListPath) -> ListPath {
    ListPath(
      section: path.section + part.first.section,
      row: path.row + (path.section == 0 ? part.first.row : 0))
  }

  /// Returns the path that is shown of the row at a path among those that are kept, or nil if the
  /// window doesn't show it.
  func shownPath(of path: ListPath) -> ListPath? {
    if part.window == nil { return path }
    return path >= part.first && path < part.end ? relativePath(of: path) : nil
  }

  private func relativePath(of path: ListPath) -> ListPath {
    let section = path.section - part.first.section
    return ListPath(section: section, row: section == 0 ? path.row - part.first.row : path.row)
  }

  /// Returns the path of the row at a position among those that are shown.
  ///
  /// - Complexity: O(log *s*) where *s* is the number of sections.
  func path(ofPosition position: Int) -> ListPath {
    relativePath(of: sections.path(ofRow: position + offset))
  }

  /// Returns the position, among the rows that are shown, of the row at a path.
  ///
  /// - Complexity: O(log *s*) where *s* is the number of sections.
  func position(of path: ListPath) -> Int {
    let whole = wholePath(of: path)
    return sections.weight(before: whole.section) + whole.row - offset
  }

  /// Returns true if a path is shown.
  func contains(_ path: ListPath) -> Bool {
    path.section >= 0 && path.section < part.sectionCount && path.row >= 0
      && path.row < rows(ofSection: path.section).count
  }
}
