internal import Locking

/// What a migration asks a table's rows for that these never had.
///
/// It says that the migration was written for rows of an older form.
final class AbsentColumns: Sendable {
  private struct State {
    /// The columns that rows have had, or were given by a migration, which may take them away again.
    var had: Set<FoldedName>
    var asked: String?
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
      if state.asked == nil && !state.had.contains(FoldedName(name)) { state.asked = name }
    }
  }

  /// The first column that was asked for.
  var first: String? { state.withLock { $0.asked } }
}
