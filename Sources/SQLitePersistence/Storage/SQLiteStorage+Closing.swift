@_spi(Storage) internal import EntityStore
internal import Locking

// A connection closes when its last reference is released. So a read and a transaction release
// theirs before they are counted as ended.
extension SQLiteStorage {
  /// Closes the file, when the reads that are running have ended.
  ///
  /// - Precondition: no commit is being made.
  public func close() {
    idle.withLock { $0.isClosed = true }
    while idle.withLock({ $0.readers > 0 }) { endOfReads.sleep() }
    // Others may still look at the file, or checkpoint it.
    while !gate.close(within: .seconds(60)) {}
    closeConnections()
  }

  /// Closes the connections that nobody uses.
  func closeConnections() {
    // The last connection that closes checkpoints, and a connection that only reads can't.
    idle.withLock { $0.connections = [] }
    walCheckpointer.withLock { $0.take() }?.end()
    keepUnsoundWAL()
    openWriter = nil
    // This one syncs wholly when it checkpoints.
    walSync.withLock { $0 }?.close()
  }

  /// Keeps the WAL as it is if it may have holes, or if the file isn't the one that was opened.
  private func keepUnsoundWAL() {
    guard let connection = openWriter?.connection else { return }
    // Data that another process has written through other shared memory must not be overwritten.
    let isShared = connection.place?.sharedFault(.checkpointing) == nil
    guard walHealth.fault != nil || !isShared else { return }
    // Pages moved out of a WAL that may have holes would be the only copy.
    connection.keepWAL()
    walSync.withLock { $0 }?.keepWAL()
  }

  /// Begins a read, which keeps the file open.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the store is closed or suspended.
  func beginReading() throws {
    let isOpen = idle.withLock { idle in
      if !idle.isClosed { idle.readers += 1 }
      return !idle.isClosed
    }
    if !isOpen { throw StoreError.storage(.closed(path: path)) }
    do { try gate.enter(.reading) } catch {
      endRead()
      throw error
    }
  }

  /// Ends a read, after its connection has been given back or released.
  func endReading() {
    gate.leave()
    endRead()
  }

  private func endRead() {
    let isLast = idle.withLock { idle in
      idle.readers -= 1
      return idle.isClosed && idle.readers == 0
    }
    if isLast { endOfReads.call() }
  }
}
