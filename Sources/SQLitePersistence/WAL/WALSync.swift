internal import EntityStore
internal import Locking

/// Syncs the WAL, once for all commits that wait for it.
///
/// A commit writes its pages into the WAL and leaves the write lock; then it waits here. Whoever comes first
/// syncs what has been written by then, and the others, who have written meanwhile, share the next sync. So
/// many writers need few syncs, and nobody waits for a body that began after his own had ended.
final class WALSync: Sendable {
  private struct State: @unchecked Sendable {
    // @unchecked: the connection is used by the one who has set `isSyncing`, and by nobody under the lock.
    let connection: Connection
    /// The last version that a sync has reached.
    var synced = Int64.min
    /// Whether somebody syncs.
    var isSyncing = false
  }

  private let state: Monitor<State>
  private let health: WALHealth
  /// The last version that is in the WAL.
  private let written = Locked(Int64.min)

  /// Syncs through a connection that does nothing else.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the WAL isn't there.
  init(_ connection: Connection, _ health: WALHealth) throws {
    try connection.openWAL()
    guard connection.walFile != nil else {
      throw StoreError.storage(
        StorageFault(
          .other, "\(connection.path): its WAL can't be reached; use durability: .normal",
          path: connection.path))
    }
    connection.activity = .syncing
    self.health = health
    state = Monitor(State(connection: connection))
  }

  /// Notes that a version is in the WAL.
  ///
  /// Versions come in order.
  func noteWritten(_ version: Int64) { written.withLock { $0 = version } }

  /// Leaves the WAL as it is when its connection closes.
  ///
  /// It is called when nobody waits any more.
  func keepWAL() { state.change { $0.connection.keepWAL() } }

  /// Waits until a version, which is in the WAL, survives the loss of power.
  ///
  /// - Throws: ``/EntityStore/StoreError/outcomeUnknown(version:fault:)`` if a sync has failed, this one or
  ///   another: a sync that succeeds afterwards says nothing of what was written before.
  func sync(_ version: Int64) throws {
    // Who waits for what a sync has reached leaves with it, and isn't kept until the next one has ended.
    let leading = state.wait { state -> Connection?? in
      if state.synced >= version { return .some(nil) }
      if state.isSyncing { return nil }
      state.isSyncing = true
      return state.connection
    }
    guard let connection = leading else { return }
    var reached = Int64.min
    defer {
      state.change { state in
        state.isSyncing = false
        state.synced = max(reached, state.synced)
      }
    }
    try checkHealth(version)
    let last = written.withLock { $0 }
    if let fault = connection.syncWAL() { health.fail(fault) }
    // The checkpointer may have met the fault just before.
    try checkHealth(version)
    // A version of others, which this thread has read, is in the WAL, too.
    reached = max(last, version)
  }

  private func checkHealth(_ version: Int64) throws {
    guard let fault = health.fault else { return }
    throw StoreError.outcomeUnknown(version: version, fault: fault)
  }
}
