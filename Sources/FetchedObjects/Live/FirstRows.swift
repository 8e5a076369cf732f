@_spi(Storage) internal import EntityStore

/// The first rows of a result, for windows near its beginning.
///
/// It keeps the rows that windows may show, and a reserve after them. They are a small result of
/// their own. Each row that isn't kept comes after the last one that is. So a commit that changes
/// only such rows takes a comparison for each, however many there are (F7). When rows have left and
/// the reserve is used up, the first rows are read again, with a reserve twice as large.
struct FirstRows: Sendable {
  /// The greatest number of rows that are kept after those that windows may show.
  static let mostReserve = 8192

  /// The changes of the kept rows by a commit.
  struct Step {
    var changes: ContiguousArray<ResultChange> = []
    /// The number of rows of the whole result after the commit.
    var totalCount: Int
    /// The number of times that the filter was evaluated.
    var conditions = 0
    /// The number of kept rows after the commit.
    var count: Int
    /// True if a window may show a change.
    var isShown = false
    /// True if neither the kept rows nor the number of all rows change.
    var isEmpty = false
  }

  /// The plan of the rows, with their included values.
  let plan: ResultPlan
  /// The number of rows that windows may show.
  let needed: Int

  /// Returns true if a window of a query without sums can be a range of its first rows.
  ///
  /// The place of a row in the order, and whether it is in the result, must not depend on other
  /// objects.
  static func canServe(_ plan: ResultPlan) -> Bool {
    !plan.hasDecidingReads
  }

  /// Returns the first rows at the reader's version.
  ///
  /// - Parameters:
  ///   - reserve: the number of rows to keep after those that windows may show.
  ///   - total: the number of all rows, if it is known.
  ///   - reader: a reader of the version.
  /// - Returns: the rows, and the number of all rows as their extent.
  /// - Throws: any error of reading.
  func fetch(
    _ reserve: Int, of total: Int? = nil, reading reader: any StorageReader
  ) throws -> ResultSnapshot {
    var query = plan.query
    query.limit = needed + reserve
    let rows = try reader.fetch(FetchPlan(query, values: plan.values))
    let isAll = rows.count < needed + reserve
    let total =
      try isAll ? rows.count : total ?? reader.count(query.entity, where: query.filter)
    return ResultSnapshot(
      plan, rows: rows.map { plan.resultRow($0.row, values: $0.values) }, version: reader.version
    )
    .placed(at: WindowExtent(rowsBefore: 0, totalCount: total), version: reader.version)
  }

  /// Returns the changes of the kept rows by a commit.
  ///
  /// - Parameters:
  ///   - kept: the rows before the commit.
  ///   - changes: the commit's changes of the store.
  ///   - reserve: the number of rows to keep after those that windows may show, if there are more
  ///     than twice as many.
  ///   - reader: a reader of the commit's version.
  /// - Returns: the changes.
  /// - Throws: any error of reading.
  /// - Complexity: O(*k*) comparisons for *k* changed objects of the query's entity, and one
  ///   look-up for each object whose included values may have changed.
  func step(
    from kept: ResultSnapshot, _ changes: NetChanges, reserve: Int,
    reading reader: any StorageReader
  ) throws -> Step {
    let most = needed + reserve
    let end = kept.count > 2 * most ? most : kept.count
    // Nothing comes after the last row if all rows are kept.
    let last = end < kept.totalCount && end > 0 ? kept.row(end - 1) : nil
    var step = Step(totalCount: kept.totalCount, count: kept.count)
    for change in changes[plan.query.entity]?.all ?? [] {
      let slot = kept.table.slot(of: change.id)
      let old = slot.flatMap { kept.table[$0] }
      if try old != nil || belongs(change.old, &step, reader) { step.totalCount -= 1 }
      var new: ResultRow?
      if let object = change.new, try belongs(object, &step, reader) {
        step.totalCount += 1
        if !comes(ResultRow(row: object, values: nil), after: last) {
          new = try plan.resultRow(object, reading: reader)
        }
      }
      step.append(ResultChange(id: change.id, slot: slot, old: old, new: new))
    }
    try addIncluded(to: &step, from: kept, upTo: last, changes, reading: reader)
    if end < kept.count { drop(kept, from: end, &step) }
    step.isEmpty = step.changes.isEmpty && step.totalCount == kept.totalCount
    step.isShown = !step.isEmpty && isShown(step, kept)
    return step
  }

  private func comes(_ row: ResultRow, after last: ResultRow?) -> Bool {
    last.map { plan.isBefore($0, row) } ?? false
  }

  /// Returns true if a window may show a change, and not only the rows of the reserve change.
  private func isShown(_ step: Step, _ kept: ResultSnapshot) -> Bool {
    if step.totalCount != kept.totalCount || kept.count <= needed { return true }
    let lastShown = kept.row(needed - 1)
    return step.changes.contains { change in
      !(change.old.map { comes($0, after: lastShown) } ?? true)
        || !(change.new.map { comes($0, after: lastShown) } ?? true)
    }
  }

  private func belongs(
    _ object: EntityRow?, _ step: inout Step, _ reader: any StorageReader
  ) throws -> Bool {
    guard let object else { return false }
    if !plan.hasFilter { return true }
    step.conditions += 1
    return try plan.meetsFilter(object, reading: reader)
  }

  /// Adds the kept rows, up to the last one that stays, whose included values have changed.
  private func addIncluded(
    to step: inout Step, from kept: ResultSnapshot, upTo last: ResultRow?, _ changes: NetChanges,
    reading reader: any StorageReader
  ) throws {
    if plan.includedReads.isEmpty { return }
    let table = changes[plan.query.entity]
    var seen: Set<StoredValue> = []
    for read in plan.includedReads {
      for id in try read.concerned(by: changes, reading: reader)
      where table?[id] == nil && seen.insert(id).inserted {
        guard let slot = kept.table.slot(of: id), let old = kept.table[slot],
          !comes(old, after: last)
        else { continue }
        let new = try plan.resultRow(old.row, reading: reader)
        step.append(ResultChange(id: id, slot: slot, old: old, new: new))
      }
    }
  }

  /// Drops the rows from a position on, because inserted rows have made the reserve too large.
  private func drop(_ kept: ResultSnapshot, from end: Int, _ step: inout Step) {
    let changed = Set(step.changes.map(\.id))
    for position in end..<kept.count {
      let row = kept.row(position)
      if changed.contains(row.id) { continue }
      step.append(
        ResultChange(id: row.id, slot: kept.table.slot(of: row.id), old: row, new: nil))
    }
  }
}

extension FirstRows.Step {
  fileprivate mutating func append(_ change: ResultChange) {
    switch (change.old, change.new) {
    case (nil, nil): return
    case (let old?, let new?): if !new.differs(from: old) { return }
    case (nil, _?): count += 1
    case (_?, nil): count -= 1
    }
    changes.append(change)
  }
}
