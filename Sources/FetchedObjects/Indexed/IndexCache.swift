internal import EntityStore
internal import Locking

/// The rows that an index-only model has read last, by their numbers.
final class IndexCache: Sendable {
  private struct State: Sendable {
    var rows: ObjectCache<ResultRow>
    /// What has been forgotten under a lock of the store's, and is released later.
    var forgotten: [ResultRow] = []
  }

  private let state: Locked<State>

  init(capacity: Int) { state = Locked(State(rows: ObjectCache(capacity: capacity))) }

  /// How many there are.
  var count: Int { state.withLock { $0.rows.count } }

  /// The row with a number.
  func row(_ number: Int64) -> ResultRow? {
    state.withLock { $0.rows.object(.integer(number)) }
  }

  /// The rows with some numbers, and the generation at which the others are to be read.
  func rows(_ numbers: [Int64]) -> ([ResultRow?], generation: Int) {
    release()
    return state.withLock { state in
      (numbers.map { state.rows.object(.integer($0)) }, state.rows.generation)
    }
  }

  /// Keeps rows that were read at a generation.
  func insert(_ rows: [(number: Int64, row: ResultRow)], readAt generation: Int) {
    // What is let go of is released when the lock is gone.
    _ = state.withLock { state in
      rows.flatMap { state.rows.insert($0.row, for: .integer($0.number), readAt: generation) }
    }
  }

  /// Forgets rows that may have changed, nil is all; `release()` releases them.
  func forget(_ numbers: [Int64]?) {
    state.withLock { $0.forgotten += $0.rows.forget(numbers?.map(StoredValue.integer)) }
  }

  /// Releases what has been forgotten; no lock may be held.
  func release() {
    let forgotten = state.withLock { state in
      defer { state.forgotten = [] }
      return state.forgotten
    }
    withExtendedLifetime(forgotten) {}
  }
}
