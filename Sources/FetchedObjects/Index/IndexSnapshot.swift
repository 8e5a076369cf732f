internal import EntityStore
internal import ListDiffing

/// An index-only result at one version of the store: sections, order and row numbers.
///
/// It is immutable, and the next snapshot shares its equal parts. It is a tree of sections, each
/// with a tree of entries. An entry has the beginning of a row's key, and the slot of the row's
/// number. Everything else about a row, including its id, is read from the storage.
final class IndexSnapshot: Sendable {
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

  /// The number of rows.
  var count: Int { sections.weight }

  func key(ofSection section: Int) -> SectionKey { sections[section].key }

  func section(_ key: SectionKey) -> Int? { sections.section(key, in: plan) }

  func contains(_ path: ListPath) -> Bool {
    path.section >= 0 && path.section < sections.count && path.row >= 0
      && path.row < sections[path.section].rows.count
  }

  /// Returns the storage's number of the row at a path.
  ///
  /// - Complexity: O(log *n*)
  func number(at path: ListPath) -> Int64 {
    numbers[sections[path.section].rows[path.row].slot]
  }

  /// Returns the path of the row at a position among all rows.
  ///
  /// - Complexity: O(log *n*)
  func path(ofPosition position: Int) -> ListPath {
    sections.path(ofRow: position)
  }

  /// Returns the position among all rows of the row at a path.
  ///
  /// - Complexity: O(log *s*) where *s* is the number of sections.
  func position(of path: ListPath) -> Int {
    sections.weight(before: path.section) + path.row
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

  /// Returns the path of the row with a number, or nil if there is none.
  ///
  /// - Complexity: O(*n*)
  func path(ofNumber number: Int64) -> ListPath? {
    var found: ListPath?
    forEachNumber { path, other in
      if other == number { found = path }
    }
    return found
  }

  /// Returns the numbers of rows that another snapshot doesn't have.
  ///
  /// - Complexity: O(*n*)
  func numbers(missingIn other: IndexSnapshot) -> Set<Int64> {
    var missing: Set<Int64> = []
    forEachNumber { missing.insert($1) }
    other.forEachNumber { missing.remove($1) }
    return missing
  }

  /// Returns true if both snapshots have the same sections, with as many rows in each.
  ///
  /// - Complexity: O(*s*) where *s* is the number of sections.
  func hasRows(like other: IndexSnapshot) -> Bool {
    let (mine, others) = (sections.array, other.sections.array)
    return mine.count == others.count
      && zip(mine, others).allSatisfy {
        $0.rows.count == $1.rows.count && $0.key.order == $1.key.order
      }
  }

  /// Returns true if each row has the same number as the row at its position in another snapshot.
  ///
  /// Both snapshots have to have the same number of rows.
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

  /// Returns the path of a row in the snapshot.
  ///
  /// If the row isn't in the snapshot, the result is any path or nil.
  ///
  /// - Complexity: O(log *n*) reads of rows whose keys begin in the same way, and no reads if the
  ///   row is the only one of those.
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

  /// Returns the path of a row, or nil if the row that is found by its key has another number.
  ///
  /// - Complexity: the same as without a number.
  func path(of row: ResultRow, numbered number: Int64, _ ties: TieReader) throws -> ListPath? {
    do {
      guard let path = try path(of: row, ties), contains(path), self.number(at: path) == number
      else { return nil }
      return path
    } catch is IndexOutOfStep {
      return nil
    }
  }
}
