internal import Locking

extension Store {
  /// Ends the store, before a server shuts down, an app extension ends or a test deletes its file.
  ///
  ///     await store.close()
  ///     try FileManager.default.removeItem(atPath: path)
  ///
  /// From here on no commit and no read begins. They throw ``StoreError/storage(_:)`` with the kind
  /// ``StorageFault/Kind/closed``, also those that wait for their turn. What is running ends: a
  /// body is completed, and its commit is made. When the method returns:
  ///
  /// - every commit that has returned is in the storage, as durable as it promises;
  /// - all events have been delivered, as after ``flush()``;
  /// - the store doesn't watch for external commits any more, and publishes nothing;
  /// - a file is closed and unlocked. Unless another store or process has it open, it is complete
  ///   without its `-wal`, and may be moved, deleted or opened again. The connections to a server
  ///   are closed when the store is released.
  ///
  /// Models, observed objects and snapshots keep what they show. `resume()` doesn't open the store
  /// again; make another one. Closing twice is as closing once: each call returns when the store is
  /// closed. The method also closes the store if its task is cancelled.
  ///
  /// It waits for what is running, however long that takes. So don't block a body, a read or a
  /// callback until the store is closed. Only a read of a store in memory isn't waited for, since
  /// there is nothing to close: it may end later.
  public func close() async {
    let closing = closing.begin {
      (storage as? any FileStorage)?.willClose()
    } _: {
      await self.closeOnce()
    }
    await closing?.value
  }

  /// True if the store is closed, or is being closed.
  package var isClosing: Bool { closing.hasBegun }

  /// Throws if the store is closed, or is being closed.
  package func checkOpen() throws { if closing.hasBegun { throw closedError } }

  /// Throws if models can't read any more.
  func checkReads() throws { if closing.hasEndedReads { throw closedError } }

  private var closedError: StoreError {
    .storage(.closed(path: (storage as? any FileStorage)?.filePath))
  }

  private func closeOnce() async {
    let operation = hooks.begin(.closing)
    await Self.onThread {
      self.endFollowing()
      // The commit that has its turn ends. The commits that wait for theirs fail.
      self.writer.lockHere()
      self.writer.unlockHere()
    }
    await flush()
    await Self.onThread { self.closeStorage() }
    // Until then, reads of what time has changed may have made events.
    await flush()
    closing.end()
    operation?.end(merged.value...merged.value)
  }

  private func endFollowing() {
    schedule.end()
    _ = following.withLock { $0.take() }
  }

  private func closeStorage() {
    writer.lockHere()
    closing.endReads()
    // Another thread may have made a commit, and still wait for the disk. If this fails, so does
    // that.
    try? storage.makeDurable(lastVersion)
    // A read that is running may wait for its turn to write, which fails then.
    writer.unlockHere()
    storage.close()
  }

  /// Runs `body` on a thread of its own: it may block for long, and tasks share few threads.
  static func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      let run: @Sendable () -> Void = {
        body()
        continuation.resume()
      }
      // If the system has no thread left, this one blocks.
      if !PlatformThread.start(run) { run() }
    }
  }
}
