internal import Locking

/// The columns that a migration requests from a table's rows and that the rows don't have.
///
/// They show that the migration was written for rows of an older form, or that a name is misspelt.
package final class AbsentColumns: Sendable {
  private struct State {
    /// The columns that rows have had, or that a migration has added.
    ///
    /// A migration may remove them again.
    var had: Set<FoldedName>
    /// The other columns that were requested, each once.
    var asked: [String] = []
  }

  private let state: Locked<State>

  /// Creates the record of a table that has had some columns since it was created.
  package init(of columns: [String]) {
    state = Locked(State(had: Set(columns.map(FoldedName.init))))
  }

  /// Notes that a row has been given a column.
  func give(_ name: String) {
    state.withLock { _ = $0.had.insert(FoldedName(name)) }
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
}
