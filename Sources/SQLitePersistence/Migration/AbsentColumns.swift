internal import EntityStore
internal import Locking

/// What a migration asks a table's rows for that these don't have.
///
/// It says that the migration was written for rows of an older form, or that a name is misspelt.
final class AbsentColumns: Sendable {
  private struct State {
    /// The columns that rows have had, or were given by a migration, which may take them away again.
    var had: Set<FoldedName>
    /// What was asked for besides, each once.
    var asked: [String] = []
  }

  private let state: Locked<State>

  /// Of a table that has had some columns since it was made.
  init(of columns: [String]) {
    state = Locked(State(had: Set(columns.map(FoldedName.init))))
  }

  /// Notes that a row has been given a column.
  func give(_ name: String) {
    state.withLock { _ = $0.had.insert(FoldedName(name)) }
  }

  /// Notes that a row was asked for a column and has none of that name.
  func ask(_ name: String) {
    state.withLock { state in
      if state.had.contains(FoldedName(name)) || state.asked.count >= 100 { return }
      if !state.asked.contains(where: { TextBytes.equal($0, name) }) { state.asked.append(name) }
    }
  }

  /// The columns that were asked for, in the order of the first questions.
  var asked: [String] { state.withLock { $0.asked } }
}
