@_spi(Storage) internal import EntityStore

/// The rows of a result in one version; each has its own slot, and is found by its id.
///
/// A copy is O(1), and both tables can then be changed.
struct ResultTable: Sendable {
  private(set) var rows: RowTable
  /// The values of the rows; nil if the query reads nothing of other objects.
  private var values: ValueTable?

  /// Creates a table of rows with different ids, in the slots from 0 on.
  ///
  /// - Complexity: O(*n*)
  init(_ plan: ResultPlan, _ all: [ResultRow]) {
    rows = RowTable(plan.query.entity, count: all.count) { all[$0].row }
    let none = RowValues([])
    values =
      plan.values.isEmpty ? nil : ValueTable(count: all.count) { all[$0].values ?? none }
  }

  /// Creates a table of the rows of a query that reads nothing of other objects.
  ///
  /// The rows are in the slots from 0 on.
  ///
  /// - Complexity: O(*n*)
  init(_ sorted: Sorting) { rows = RowTable(sorted) }

  var count: Int { rows.count }

  subscript(slot: Int) -> ResultRow? {
    rows[slot].map { ResultRow(row: $0, values: values?[slot]) }
  }

  /// Returns the slot of the row with an id.
  ///
  /// - Complexity: O(1) on average.
  func slot(of id: StoredValue) -> Int? { rows.slot(of: id) }

  func row(_ id: StoredValue) -> ResultRow? { slot(of: id).flatMap { self[$0] } }

  /// Returns the ids of the rows that may differ from an earlier table of the same query, each
  /// once.
  ///
  /// - Complexity: O(*d* log *n*), where *d* is the number of row versions that aren't shared.
  func touched(since old: ResultTable) -> [StoredValue] {
    var ids: Set<StoredValue> = []
    forEachDifference(from: old) { slot in
      for table in [old, self] where table.rows[slot] != nil { ids.insert(table.rows.id(slot)) }
    }
    return Array(ids)
  }

  /// Calls `body` with each slot whose row may differ from that in an earlier table of the same
  /// query, once or twice.
  ///
  /// - Complexity: O(*d* log *n*), where *d* is the number of row versions that aren't shared.
  func forEachDifference(from old: ResultTable, _ body: (Int) -> Void) {
    rows.forEachDifference(from: old.rows, body)
    if let values, let oldValues = old.values {
      values.forEachDifference(from: oldValues, body)
    }
  }

  /// Begins several changes, which are then faster than alone.
  mutating func beginChanges() {
    rows.beginChanges()
    values?.beginChanges()
  }

  mutating func endChanges() {
    rows.endChanges()
    values?.endChanges()
  }

  /// Adds a row with a new id, in a free slot.
  mutating func insert(_ row: ResultRow, at slot: Int) {
    rows.insert(row.row, at: slot)
    values?[slot] = row.values
  }

  /// Replaces a row with another version of the same object.
  mutating func replace(_ slot: Int, with row: ResultRow) {
    rows.replace(slot, with: row.row)
    values?[slot] = row.values
  }

  mutating func remove(_ slot: Int) {
    rows.remove(slot)
    values?[slot] = nil
  }
}
