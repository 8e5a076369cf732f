@_spi(Storage) internal import EntityStore
internal import Locking

// A connection closes when its last reference is released. So a read and a transaction release
// theirs before they are counted as ended.
extension SQLiteStorage {
  /// The part of `reads` that shows that the file is being closed, above any number of reads.
  private static let closed = Int.max / 2 + 1

  /// Closes the file, when the reads that are running have ended.
  ///
  /// - Precondition: no commit is being made.
  public func close() {
    willClose()
    reads.add(Self.closed)
    while reads.load() != Self.closed { endOfReads.sleep() }
    // Others may still look at the file, or checkpoint it. They aren't interrupted: the last
    // connection that closes would begin an interrupted checkpoint again.
    gate.closeForGood { closeConnections() }
  }

  package func willClose() { gate.willCloseForGood() }

  /// Closes the connections that nobody uses.
  func closeConnections() {
    // The last connection that closes checkpoints, and a connection that only reads can't.
    closeIdle()
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
    // The number and the mark are one word. So the closing waits for each read that hasn't seen it.
    let isOpen = reads.add(1) < Self.closed
    do {
      if !isOpen { throw StoreError.storage(.closed(path: path)) }
      try gate.enter(.reading)
    } catch {
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
    if reads.add(-1) == Self.closed { endOfReads.call() }
  }
}
