internal import SQLiteLibrary
internal import EntityStore

/// The write-ahead log of a file, as the writing connection sees it.
///
/// SQLite's own checkpoint at the end of a commit doesn't report its errors, and the commit waits
/// for it. After a failed sync, the system may consider pages written that aren't. Under `.normal`,
/// the WAL then has a hole that nobody knows of, and pages moved out of it would be the only copy.
/// So the storage requests checkpoints itself, and checks their results.
final class WAL {
  /// The longest time for which a checkpoint of a commit waits for others.
  ///
  /// Nobody else can write meanwhile.
  private static let longestWait = Duration.milliseconds(50)

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

  /// Writes zeros behind the end of the WAL if the next commits would extend it.
  ///
  /// A sync of a file that has become longer also has to write its new length, which takes a file
  /// system half as long again. So the WAL is extended for many commits at once. A commit
  /// overwrites zeros, and SQLite takes none for a page. If the disk is full, the WAL stays as it
  /// is.
  ///
  /// - Precondition: a write transaction is open, so that nobody else appends to the WAL.
  func extend() {
    // Without syncs, there is nothing to save.
    if sync == nil || size.hasRoom { return }
    size.end = connection.walBytes
    guard let missing = size.missingBytes else { return }
    connection.extendWAL(from: size.end, by: missing)
    // If that has failed, it isn't tried again at once.
    size.end += missing
  }

  /// Notes the length after each commit, in place of SQLite's own checkpoint.
  ///
  /// This object must exist for as long as the connection commits.
  func watch() throws {
    sqlite3_wal_hook(
      connection.handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<WAL>.fromOpaque(context).takeUnretainedValue().size.noteLength(pages)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
    // A WAL that was long once, such as after an import, is truncated when it starts again.
    try connection.execute("PRAGMA journal_size_limit = \(WALSize.mostBytes)")
    size.pageSize = try connection.integer("PRAGMA page_size") ?? size.pageSize
  }

  /// Notes that a version has been committed, and requests a checkpoint if the WAL has grown long.
  func noteCommit(_ version: Int64) {
    sync?.noteWritten(version)
    requestCheckpoint()
  }

  /// Requests a checkpoint if the WAL has grown long.
  ///
  /// Another thread makes it. If that thread doesn't keep up, the next commit does.
  func requestCheckpoint() {
    guard size.hasGrown else { return }
    size.hasGrown = false
    checkpointer?.note(pages: Int(size.length))
    switch size.measure() {
    case .nothing: break
    case .ask: if checkpointer?.ask() != true { size.isDue = true }
    case .checkpoint: size.isDue = true
    }
  }

  /// Makes the checkpoint that is due before a commit begins, when nothing is published.
  ///
  /// If it fails for another reason than a sync, a later one tries again. The WAL still has
  /// everything.
  func checkpointIfDue() {
    guard size.isDue else { return }
    size.isDue = false
    connection.activity = .checkpointing
    // The other thread may have met a fault. If the file has been deleted or replaced, its WAL
    // stays as it is.
    guard health.fault == nil, (try? connection.checkPlace()) != nil else { return }
    // The first one moves pages while others read and write.
    let code = checkpoint(SQLITE_CHECKPOINT_PASSIVE)
    if code & 0xFF == SQLITE_BUSY || code & 0xFF == SQLITE_INTERRUPT {
      // The other thread is moving pages, or the store is suspended: the next commit tries again.
      size.isDue = true
      return
    }
    size.checkpoints += 1
    guard code == SQLITE_OK else { return }
    // Reads that overlap would keep the WAL from ever starting again. The second one waits for
    // those that are running. Reads that begin meanwhile are in nobody's way, because they need no
    // page of the WAL.
    let limit = connection.busyHandler.limit
    connection.busyHandler.limit = min(limit, Self.longestWait)
    defer { connection.busyHandler.limit = limit }
    _ = checkpoint(SQLITE_CHECKPOINT_RESTART)
  }

  /// Makes a checkpoint, and returns SQLite's code.
  private func checkpoint(_ mode: Int32) -> Int32 {
    let code = connection.checkpoint(mode)
    // `fault(_:)` notes the failed sync.
    if StorageFault.isFailedSync(code) { _ = connection.fault(code) }
    return code
  }
}

extension Connection {
  /// Makes a checkpoint, which ends early if the store is suspended, and returns SQLite's code.
  func checkpoint(_ mode: Int32) -> Int32 {
    let run = { sqlite3_wal_checkpoint_v2(self.handle, "main", mode, nil, nil) }
    return gate.map { $0.checkpoint(handle, run) } ?? run()
  }
}
