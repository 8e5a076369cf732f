internal import EntityStore
internal import ListDiffing

/// One version of the store, as an index-only result sees it: sections, order and row numbers.
///
/// Immutable; the next one shares what is the same. It is a tree of sections, each with a tree of
/// entries; an entry is how the key of a row begins, and where the row's number is. What else there is
/// to know of a row, its id too, is read from the storage.
final class IndexSnapshot: SectionedResult {
  let plan: ResultPlan
  let version: Int64
  let sections: SectionTree
  let numbers: RowNumbers

  init(_ plan: ResultPlan, version: Int64, sections: SectionTree, numbers: RowNumbers) {
    self.plan = plan
    self.version = version
    self.sections = sections
    self.numbers = numbers
    sections.checkInvariants()
  }

  /// How many rows there are.
  var count: Int { sections.rowCount }

  func key(ofSection section: Int) -> SectionKey { sections[section].key }

  func section(_ key: SectionKey) -> Int? { sections.section(key, in: plan) }

  /// Whether there is a row at a path.
  func contains(_ path: ListPath) -> Bool {
    path.section >= 0 && path.section < sections.count && path.row >= 0
      && path.row < sections[path.section].rows.count
  }

  /// The storage's number of the row at a path.
  ///
  /// - Complexity: O(log *n*)
  func number(at path: ListPath) -> Int64 {
    numbers[sections[path.section].rows[path.row].slot]
  }

  /// The path of the row at a position among all.
  ///
  /// - Complexity: O(log *n*)
  func path(ofPosition position: Int) -> ListPath {
    let place = sections.section(holdingRow: position)
    return ListPath(section: place.section, row: place.row)
  }

  /// The position among all of the row at a path.
  ///
  /// - Complexity: O(log *s*) where *s* is the number of sections.
  func position(of path: ListPath) -> Int {
    sections.rowCount(before: path.section) + path.row
  }

  /// Calls `body` with the path and the number of each row, in order.
  func forEachNumber(_ body: (ListPath, Int64) throws -> Void) rethrows {
    var section = 0
    try sections.forEach { part in
      var row = 0
      try part.rows.forEach { entry in
        try body(ListPath(section: section, row: row), numbers[entry.slot])
        row += 1
      }
      section += 1
    }
  }

  /// Whether it has as many rows in the same sections as another one.
  ///
  /// - Complexity: O(*s*) where *s* is the number of sections.
  func hasRows(like other: IndexSnapshot) -> Bool {
    let (mine, others) = (sections.array, other.sections.array)
    return mine.count == others.count
      && zip(mine, others).allSatisfy {
        $0.rows.count == $1.rows.count && $0.key.order == $1.key.order
      }
  }

  /// Whether each row has the number of the one at its place in another one with as many rows.
  ///
  /// - Complexity: O(*n*)
  func hasNumbers(of other: IndexSnapshot) -> Bool {
    var theirs: ContiguousArray<Int64> = []
    theirs.reserveCapacity(count)
    other.forEachNumber { theirs.append($1) }
    var place = 0
    var isSame = true
    forEachNumber {
      isSame = isSame && theirs[place] == $1
      place += 1
    }
    return isSame
  }

  /// The path of a row if it is here, and otherwise any or none.
  ///
  /// - Complexity: O(log *n*) reads, all of rows whose keys begin alike, and none if the row is the only
  ///   one of those.
  func path(of row: ResultRow, _ ties: TieReader) throws -> ListPath? {
    let key = plan.sectionKey(of: row)
    guard let section = plan.sectionOrder.isEmpty ? 0 : section(key) else { return nil }
    let rows = sections[section].rows
    let prefix = plan.order.prefix(row.row, row.values)
    let first = rows.rank(of: prefix) { _ in true }
    let isOnly = rows.rank(of: prefix) { _ in false } == first + 1
    let rank =
      isOnly
      ? first : try rows.rank(of: prefix) { try ties.comesNoEarlier(numbers[$0], row) }
    return ListPath(section: section, row: rank)
  }
}
