internal import CSQLite
internal import EntityStore

/// The write-ahead log of a file, as the connection sees it that writes.
///
/// SQLite's own checkpoint at the end of a commit keeps its errors to itself, and the commit waits for it. After a
/// sync that failed, the system may take what wasn't written for written. Under `.normal` the WAL then has a hole
/// that nobody knows of, and pages moved out of it would be the only copy. So the storage asks for checkpoints
/// itself, and looks at what they say.
final class WAL {
  private unowned let connection: Connection
  /// How long it is.
  var size = WALSize()
  /// Whether it is sound.
  let health: WALHealth
  /// Checkpoints it on a thread of its own, if commits don't do it themselves.
  var checkpointer: WALCheckpointer?
  /// Syncs it, if commits don't do it themselves.
  var sync: WALSync?

  init(_ connection: Connection, _ health: WALHealth) {
    self.connection = connection
    self.health = health
    connection.syncFailed = { health.fail($0) }
  }

  /// Notes the length after each commit, in the place of SQLite's own checkpoint.
  ///
  /// It must be there for as long as the connection commits.
  func watch() throws {
    sqlite3_wal_hook(
      connection.handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<WAL>.fromOpaque(context).takeUnretainedValue().size.length = pages
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
    // A WAL that was long once, such as after an import, gives its room back when it begins again.
    try connection.execute("PRAGMA journal_size_limit = \(WALSize.mostBytes)")
  }

  /// Notes that a version has been committed, and checkpoints if the WAL has grown long: on another thread, and here
  /// if that doesn't keep up.
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

  /// Checkpoints.
  ///
  /// What fails for another reason than a sync is left for the next time: the WAL has it all.
  private func checkpoint() {
    // The other thread may have met a fault since this commit began.
    if health.fault != nil { return }
    size.checkpoints += 1
    connection.activity = .checkpointing
    let code = sqlite3_wal_checkpoint_v2(
      connection.handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    // That notes it.
    if StorageFault.isFailedSync(code) { _ = connection.fault(code) }
  }
}
