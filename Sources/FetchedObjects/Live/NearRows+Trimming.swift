@_spi(Storage) internal import EntityStore

// The rows that are dropped because many have come. They are dropped by the commit that brings the
// others, so that one large commit leaves no more rows than many small ones.
extension NearRows {
  /// A row after a step, with the parts of its place in the order.
  private struct OrderedRow {
    let section: SectionKey
    let prefix: UInt64
    let row: ResultRow
    /// The position of the row's change among those of the step, or nil if it has none.
    let change: Int?
  }

  /// Returns the greatest number of rows that are kept after a commit: twice as many as are read.
  func most(for window: ResultWindow?, _ reserve: Int) -> Int {
    let wanted = kept(needs(window), reserve)
    return 2 * (wanted.before + wanted.after)
  }

  /// Drops the rows far from the windows if the step has too many.
  ///
  /// - Complexity: O((*k* + *m*) log (*k* + *m*)) comparisons for *k* changes and *m* kept rows, if
  ///   rows are dropped. Then at least half of them are.
  func trim(
    _ step: inout Step, from kept: ResultSnapshot, _ window: ResultWindow?, _ reserve: Int
  ) {
    guard step.count > most(for: window, reserve), let position = step.position else { return }
    let wanted = self.kept(needs(window, at: position, of: step.count), reserve)
    let stay = max(0, position - wanted.before)..<min(step.count, position + wanted.after)
    let rows = rows(after: step, from: kept)
    let changes = step.changes
    var areKept = [Bool](repeating: false, count: changes.count)
    for row in rows[stay] {
      if let change = row.change { areKept[change] = true }
    }
    (step.changes, step.count) = ([], kept.count)
    for (number, change) in changes.enumerated() {
      let new = areKept[number] ? change.new : nil
      step.append(ResultChange(of: change.id, slot: change.slot, old: change.old, new: new))
    }
    for (place, ordered) in rows.enumerated() where !stay.contains(place) && ordered.change == nil {
      let row = ordered.row
      step.append(ResultChange(of: row.id, slot: kept.table.slot(of: row.id), old: row, new: nil))
    }
    step.extent.rowsBefore += stay.lowerBound
    step.position = position - stay.lowerBound
  }

  /// Returns the kept rows and those that come, after a step, in order.
  private func rows(after step: Step, from kept: ResultSnapshot) -> [OrderedRow] {
    let changed = Set(step.changes.lazy.filter { $0.old != nil }.map(\.id))
    var rows: [OrderedRow] = []
    rows.reserveCapacity(step.count)
    func add(_ row: ResultRow, _ change: Int?) {
      rows.append(
        OrderedRow(
          section: plan.sectionKey(of: row), prefix: plan.order.prefix(row.row, row.values),
          row: row, change: change))
    }
    kept.forEach { row in
      if !changed.contains(row.id) { add(row, nil) }
    }
    for (number, change) in step.changes.enumerated() {
      if let new = change.new { add(new, number) }
    }
    rows.sort { a, b in
      let order = plan.compare(a.section, b.section)
      if order != 0 { return order < 0 }
      if a.prefix != b.prefix { return a.prefix < b.prefix }
      return plan.comesEarlier(a.row, b.row)
    }
    return rows
  }
}
