internal import SQLiteLibrary
internal import EntityStore

/// The write-ahead log of a file, as the writing connection sees it.
///
/// SQLite's own checkpoint at the end of a commit doesn't report its errors, and the commit waits
/// for it. After a failed sync, the system may consider pages written that aren't. Under `.normal`,
/// the WAL then has a hole that nobody knows of, and pages moved out of it would be the only copy.
/// So the storage requests checkpoints itself, and checks their results.
final class WAL {
  private unowned let connection: Connection
  var size = WALSize()
  let health: WALHealth
  /// The checkpointer on a separate thread, if commits don't checkpoint themselves.
  var checkpointer: WALCheckpointer?
  /// The object that syncs the WAL, if commits don't sync it themselves.
  var sync: WALSync?

  init(_ connection: Connection, _ health: WALHealth) {
    self.connection = connection
    self.health = health
    connection.syncFailed = { health.fail($0) }
  }

  /// Continues where the connection before this one has ended.
  func `continue`(_ earlier: WAL) {
    size = earlier.size
    checkpointer = earlier.checkpointer
    sync = earlier.sync
  }

  /// Notes the length after each commit, in place of SQLite's own checkpoint.
  ///
  /// This object must exist for as long as the connection commits.
  func watch() throws {
    sqlite3_wal_hook(
      connection.handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<WAL>.fromOpaque(context).takeUnretainedValue().size.length = pages
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
    // A WAL that was long once, such as after an import, is truncated when it starts again.
    try connection.execute("PRAGMA journal_size_limit = \(WALSize.mostBytes)")
  }

  /// Notes that a version has been committed, and checkpoints if the WAL has grown long.
  ///
  /// Another thread makes the checkpoint. If that thread doesn't keep up, this one does.
  func noteCommit(_ version: Int64) {
    sync?.noteWritten(version)
    checkpointer?.note(pages: Int(size.length))
    switch size.measure() {
    case .nothing: return
    case .ask: if checkpointer?.ask() == true { return }
    case .checkpoint: break
    }
    checkpoint()
  }

  /// If the checkpoint fails for another reason than a sync, the next one tries again.
  ///
  /// The WAL still has everything.
  private func checkpoint() {
    // The other thread may have met a fault since this commit began.
    if health.fault != nil { return }
    size.checkpoints += 1
    connection.activity = .checkpointing
    let code = sqlite3_wal_checkpoint_v2(
      connection.handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    // `fault(_:)` notes the failed sync.
    if StorageFault.isFailedSync(code) { _ = connection.fault(code) }
  }
}
