internal import EntityStore
internal import Locking

/// An object that syncs the WAL, once for all commits that wait for it.
///
/// A commit writes its pages into the WAL and releases the write lock. Then it waits here. The
/// first thread syncs everything that has been written by then. The others, which have written
/// meanwhile, share the next sync. So many writers need few syncs, and no thread waits for a body
/// that began after its own had ended.
final class WALSync: Sendable {
  private struct State: @unchecked Sendable {
    // @unchecked: only the thread that has set `isSyncing` uses the connection, and nobody uses it
    // under the lock.
    var connection: Connection?
    /// The last version that a sync has reached.
    var synced = Int64.min
    var isSyncing = false
  }

  private let state: Monitor<State>
  private let health: WALHealth
  /// The last version that is in the WAL.
  private let written = Locked(Int64.min)

  /// Creates an object that syncs through a connection with no other use.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the WAL can't be reached.
  init(_ connection: Connection, _ health: WALHealth) throws {
    try connection.openWAL()
    guard connection.walFile != nil else {
      throw StoreError.fault(
        .other, "\(connection.path): its WAL can't be reached; use durability: .normal",
        path: connection.path)
    }
    connection.activity = .syncing
    self.health = health
    state = Monitor(State(connection: connection))
  }

  /// Versions are noted in order.
  func noteWritten(_ version: Int64) { written.withLock { $0 = version } }

  /// Keeps the WAL as it is when the connection closes.
  ///
  /// It is called when no thread waits any more.
  func keepWAL() { state.change { $0.connection?.keepWAL() } }

  /// It is called when no thread syncs any more.
  ///
  /// A thread may still ask for a version that has been synced.
  func close() {
    let connection = state.change { $0.connection.take() }
    withExtendedLifetime(connection) {}
  }

  /// Waits until a version that is in the WAL survives the loss of power.
  ///
  /// - Throws: ``/EntityStore/StoreError/outcomeUnknown(version:fault:)`` if a sync has failed,
  ///   this one or another. A sync that succeeds afterwards doesn't cover what was written before.
  func sync(_ version: Int64) throws {
    // A thread whose version has been synced returns at once, without waiting for the next sync.
    let leads = state.wait { state -> Bool? in
      if state.synced >= version { return false }
      if state.isSyncing { return nil }
      state.isSyncing = true
      return true
    }
    guard leads else { return }
    var reached = Int64.min
    defer {
      state.change { state in
        state.isSyncing = false
        state.synced = max(reached, state.synced)
      }
    }
    try checkHealth(version)
    guard let connection = state.change({ $0.connection }) else {
      throw StoreError.outcomeUnknown(version: version, fault: .closed(path: nil))
    }
    let last = written.withLock { $0 }
    if let fault = connection.syncWAL() { health.fail(fault) }
    // The checkpointer may have met the fault just before.
    try checkHealth(version)
    // A version of another process that this thread has read is in the WAL, too.
    reached = max(last, version)
  }

  private func checkHealth(_ version: Int64) throws {
    guard let fault = health.fault else { return }
    throw StoreError.outcomeUnknown(version: version, fault: fault)
  }
}
