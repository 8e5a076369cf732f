internal import EntityStore
internal import Locking

// Properties and limits of a storage, for tests.
extension SQLiteStorage {
  /// Narrows the limits of the writing connection, for tests that reach them.
  ///
  /// The next commit checkpoints when one has made the WAL longer than `logPages`. Another thread
  /// does when it is longer than `movedPages`. If only `logPages` is given, no other thread does.
  package func limit(
    waiting milliseconds: Int? = nil, pages: Int? = nil, logPages: Int? = nil,
    movedPages: Int? = nil
  ) throws {
    if let logPages {
      writer.wal.size.most = Int32(clamping: logPages)
      writer.wal.size.long = .max
    }
    if let movedPages { writer.wal.size.long = Int32(clamping: movedPages) }
    if let milliseconds { writer.connection.busyHandler.limit = .milliseconds(milliseconds) }
    if let pages { try writer.connection.execute("PRAGMA max_page_count = \(pages)") }
  }

  /// The numbers of checkpoints by commits and by another thread, for tests.
  ///
  /// It is read while nobody commits.
  package var checkpoints: (byCommits: Int, beside: Int) {
    (writer.wal.size.checkpoints, walCheckpointer.withLock { $0?.count } ?? 0)
  }

  /// True if another thread has moved everything in the WAL into the file, for tests.
  package var isCheckpointed: Bool { walCheckpointer.withLock { $0?.hasMovedAll } ?? false }

  /// The number of connections that are kept for the next reads, for tests.
  package var idleConnectionCount: Int { idle.withLock { $0.connections.count } }
}
