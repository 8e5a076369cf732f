internal import EntityStore
internal import Locking

// What tests see of a storage, and narrow.
extension SQLiteStorage {
  /// Narrows the writing connection, for tests that run into its limits.
  ///
  /// - Parameters:
  ///   - milliseconds: how long it waits for others who write.
  ///   - pages: how many pages the file may have.
  ///   - logPages: how many the log may have before the commit moves it that makes it so long.
  ///   - movedPages: how many the log may have before another thread moves it; without it, none does if
  ///     `logPages` is given.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if SQLite refuses.
  package func limit(
    waiting milliseconds: Int? = nil, pages: Int? = nil, logPages: Int? = nil,
    movedPages: Int? = nil
  ) throws {
    if let logPages {
      writer.wal.size.most = Int32(clamping: logPages)
      writer.wal.size.long = .max
    }
    if let movedPages { writer.wal.size.long = Int32(clamping: movedPages) }
    if let milliseconds { try writer.connection.execute("PRAGMA busy_timeout = \(milliseconds)") }
    if let pages { try writer.connection.execute("PRAGMA max_page_count = \(pages)") }
  }

  /// How often commits have moved the log, and how often another thread has, for tests; it is asked while
  /// nobody commits.
  package var checkpoints: (byCommits: Int, beside: Int) {
    (writer.wal.size.checkpoints, walCheckpointer.withLock { $0?.count } ?? 0)
  }

  /// Whether another thread has moved all that is in the log, for tests.
  package var isCheckpointed: Bool { walCheckpointer.withLock { $0?.hasMovedAll } ?? false }

  /// How many connections wait for a read, for tests.
  package var idleConnectionCount: Int { idle.withLock { $0.connections.count } }
}
