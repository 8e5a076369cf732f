internal import Locking

/// The columns that a migration requests from a table's rows: those that the rows don't have, and
/// which of the others.
///
/// The former show that the migration was written for rows of another form, or that a name is
/// misspelt.
package final class AbsentColumns: Sendable {
  private struct State {
    /// The columns that rows have had, or that a migration has added.
    ///
    /// A migration may remove them again.
    var had: Set<FoldedName>
    /// The columns that a migration has removed from rows that don't have them.
    var removed: Set<FoldedName> = []
    /// The other columns that were requested, each once.
    var asked: [String] = []
  }

  package let migration: String
  /// The migration's position among those that have run.
  package let number: Int
  /// The name that the table had when its rows were read.
  package let table: String
  /// The columns that the rows had when they were read.
  private let columns: [String]
  /// A bit for each column, which is set once the column is used.
  ///
  /// The columns from the 64th on have one bit.
  private let used = AtomicWord(0)
  private let state: Locked<State>

  /// Creates the record of rows with some columns, whose table has had others before.
  init(
    of columns: [String], in table: String, _ migration: String, _ number: Int,
    had: Set<FoldedName>
  ) {
    self.migration = migration
    self.number = number
    self.table = table
    self.columns = columns
    state = Locked(State(had: had.union(columns.map { FoldedName($0) })))
  }

  /// Notes that a column is requested, replaced or removed that a row has, at a place in the row.
  func use(_ name: String, at place: Int = 0) {
    // If a column was removed from a row, the others are at other places.
    let isThere = place < columns.count && TextBytes.equal(columns[place], name)
    let found = isThere ? place : columns.firstIndex { TextBytes.equal($0, name) }
    guard let index = found else { return }
    let bit = 1 << min(index, 63)
    while true {
      let bits = used.loadRelaxed()
      if bits & bit != 0 || used.compareExchange(bits, bits | bit) { return }
    }
  }

  /// Notes that a row has been given a column.
  func give(_ name: String) {
    state.withLock { _ = $0.had.insert(FoldedName(name)) }
  }

  /// Notes that a column has another name from now on.
  func forget(_ name: String) {
    state.withLock { _ = $0.had.remove(FoldedName(name)) }
  }

  /// Notes that a column is removed from a row that has none of that name.
  func remove(_ name: String) {
    state.withLock { _ = $0.removed.insert(FoldedName(name)) }
  }

  /// Notes that a column was requested from a row that has none of that name.
  func ask(_ name: String) {
    state.withLock { state in
      if state.had.contains(FoldedName(name)) || state.asked.count >= 100 { return }
      if !state.asked.contains(where: { TextBytes.equal($0, name) }) { state.asked.append(name) }
    }
  }

  /// The requested columns, in the order of the first requests.
  package var asked: [String] { state.withLock { $0.asked } }

  /// The columns that rows have had, or that a migration has added.
  var had: Set<FoldedName> { state.withLock { $0.had } }

  /// Returns true if a migration has also removed a column from the rows that don't have it.
  ///
  /// Such a migration has spelt the name twice, and is for rows of a form that this table didn't
  /// have.
  package func isRemoved(_ name: String) -> Bool {
    state.withLock { $0.removed.contains(FoldedName(name)) }
  }

  /// Returns true if the rows had a column when they were read.
  package func hasColumn(_ name: String) -> Bool { columns.firstIndex(folding: name) != nil }

  /// Returns true if the rows had exactly these columns.
  func hasColumns(_ others: [String]) -> Bool {
    columns.count == others.count && zip(columns, others).allSatisfy { TextBytes.equal($0, $1) }
  }

  /// Returns true if a column was used that the rows had.
  func hasUsed(_ name: String) -> Bool {
    guard let index = columns.firstIndex(folding: name) else { return false }
    return used.loadRelaxed() & (1 << min(index, 63)) != 0
  }
}
