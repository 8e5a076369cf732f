internal import CSQLite
internal import EntityStore
internal import Locking

/// Syncs the log, once for all commits that wait for it.
///
/// A commit writes its pages into the log and leaves the write lock; then it waits here. Whoever comes first
/// syncs what has been written by then, and the others, who have written meanwhile, share the next sync. So
/// many writers need few syncs, and nobody waits for a body that began after his own had ended.
final class LogSync: Sendable {
  private struct State: @unchecked Sendable {
    // @unchecked: the connection is used under the lock only.
    let connection: Connection
    /// The last version that a sync has reached.
    var synced = Int64.min
    /// Why a sync failed.
    ///
    /// What wasn't written by then may never be, though a later sync succeeds.
    var fault: StorageFault?
  }

  private let state: Locked<State>
  /// The last version that is in the log.
  private let written = Locked(Int64.min)

  /// Syncs through a connection that does nothing else.
  ///
  /// - Throws: ``StoreError/storage(_:)`` if the log isn't there.
  init(_ connection: Connection) throws {
    // The log is opened with the first read.
    _ = try connection.version()
    guard connection.logFile != nil else {
      throw StoreError.storage(
        StorageFault(
          .other, "\(connection.path): its log can't be reached; use durability: .normal",
          path: connection.path))
    }
    connection.activity = .syncing
    state = Locked(State(connection: connection))
  }

  /// Notes that a version is in the log.
  ///
  /// Versions come in order.
  func noteWritten(_ version: Int64) { written.withLock { $0 = version } }

  /// Notes that somebody else's sync of the log has failed.
  ///
  /// A sync that succeeds afterwards says nothing of what was written before.
  func fail(_ fault: StorageFault) { state.withLock { $0.fault = $0.fault ?? fault } }

  /// Waits until a version, which is in the log, survives the loss of power.
  ///
  /// - Throws: ``StoreError/outcomeUnknown(version:fault:)`` if a sync has failed.
  func sync(_ version: Int64) throws {
    try state.withLock { state in
      if state.synced >= version { return }
      if let fault = state.fault {
        throw StoreError.outcomeUnknown(version: version, fault: fault)
      }
      let reached = written.withLock { $0 }
      if let fault = state.connection.syncLog() {
        state.fault = fault
        throw StoreError.outcomeUnknown(version: version, fault: fault)
      }
      // A version of others, which this thread has read, is in the log, too.
      state.synced = max(reached, version)
    }
  }
}

extension Connection {
  /// The open log, or nil if it isn't open.
  fileprivate var logFile: UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
      file?.pointee.pMethods != nil
    else { return nil }
    return file
  }

  /// Syncs the log, and gives the fault if that fails.
  fileprivate func syncLog() -> StorageFault? {
    guard let file = logFile, let sync = file.pointee.pMethods.pointee.xSync else {
      return fault(SQLITE_IOERR)
    }
    #if canImport(Darwin)
    // There a plain sync doesn't reach the disk itself.
    let code = sync(file, SQLITE_SYNC_FULL)
    #else
    let code = sync(file, SQLITE_SYNC_NORMAL)
    #endif
    return code == SQLITE_OK ? nil : fault(code)
  }
}
