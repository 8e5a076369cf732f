internal import EntityStore

/// The rows of a result in one version, each in a slot of its own, found by the id.
///
/// A copy is O(1), and both can go on changing.
struct ResultTable: Sendable {
  private(set) var rows: RowTable
  /// Nil if the query reads nothing of other objects.
  private var values: ValueTable?

  /// The rows, which have different ids, in the slots from 0 on.
  ///
  /// - Complexity: O(*n*)
  init(_ plan: ResultPlan, _ all: [ResultRow]) {
    rows = RowTable(plan.query.entity, count: all.count) { all[$0].row }
    let none = RowValues([])
    values =
      plan.values.isEmpty ? nil : ValueTable(count: all.count) { all[$0].values ?? none }
  }

  /// The rows of a query that reads nothing of other objects, in the slots from 0 on.
  ///
  /// - Complexity: O(*n*)
  init(_ sorted: SortedRows) { rows = RowTable(sorted) }

  var count: Int { rows.count }

  /// The row in a slot.
  subscript(slot: Int) -> ResultRow? {
    rows[slot].map { ResultRow(row: $0, values: values?[slot]) }
  }

  /// The slot of the row with an id.
  ///
  /// - Complexity: O(1) on average.
  func slot(of id: StoredValue) -> Int? { rows.slot(of: id) }

  /// The row with an id.
  func row(_ id: StoredValue) -> ResultRow? { slot(of: id).flatMap { self[$0] } }

  /// The ids of the rows that may not be what they were in an earlier table of the same query, each once.
  ///
  /// - Complexity: O(*d* log *n*), where *d* is how many row versions aren't shared.
  func touched(since old: ResultTable) -> [StoredValue] {
    var ids: Set<StoredValue> = []
    func touch(_ slot: Int) {
      for table in [old, self] where table.rows[slot] != nil { ids.insert(table.rows.id(slot)) }
    }
    rows.forEachDifference(from: old.rows, touch)
    if let values, let oldValues = old.values {
      values.forEachDifference(from: oldValues, touch)
    }
    return Array(ids)
  }

  /// Adds a row whose id is new, in a slot that is free.
  mutating func insert(_ row: ResultRow, at slot: Int) {
    rows.insert(row.row, at: slot)
    values?[slot] = row.values
  }

  /// Puts a row in the place of another version of the same object.
  mutating func replace(_ slot: Int, with row: ResultRow) {
    rows.replace(slot, with: row.row)
    values?[slot] = row.values
  }

  /// Removes the row in a slot.
  mutating func remove(_ slot: Int) {
    rows.remove(slot)
    values?[slot] = nil
  }
}
