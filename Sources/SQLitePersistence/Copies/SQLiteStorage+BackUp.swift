internal import SQLiteLibrary
internal import EntityStore

extension SQLiteStorage {
  /// Copies the pages of the last version into the file at `path`.
  func copyPages(
    to path: String, _ pagesAtATime: Int, _ progress: (Store.BackupProgress) throws -> Void
  ) throws -> Int64 {
    // The transaction of this separate connection holds one version. Without it, SQLite would begin
    // again after each commit of another connection.
    try beginReading()
    defer { endReading() }
    let (source, version) = try beginCopy()
    // Only users who may read the file may read the copy.
    try AtomicFile.create(path, like: source.absolutePath)
    let target = try Connection(file.copy(path), .readWriteCreate)
    try target.syncWholly()
    guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw StoreError.storage(target.fault(sqlite3_extended_errcode(target.handle)))
    }
    var isFinished = false
    defer { if !isFinished { sqlite3_backup_finish(backup) } }
    let most = Int32(clamping: pagesAtATime)
    // The first step copies nothing, but counts the pages.
    var code = sqlite3_backup_step(backup, 0)
    while true {
      try source.checkAlone()
      guard code == SQLITE_OK || code == SQLITE_DONE else { break }
      let total = Int(sqlite3_backup_pagecount(backup))
      let rest = Int(sqlite3_backup_remaining(backup))
      try progress(Store.BackupProgress(completed: total - rest, of: total, version: version))
      if code == SQLITE_DONE { break }
      try gate.check(.reading)
      code = sqlite3_backup_step(backup, most)
    }
    isFinished = true
    let last = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, last == SQLITE_OK else {
      let fault = code == SQLITE_DONE ? last : code
      let isOfSource = [SQLITE_CORRUPT, SQLITE_NOTADB].contains(fault & 0xFF)
      throw StoreError.storage((isOfSource ? source : target).fault(fault))
    }
    // A crafted table may lead to the same page many times. The source's step watch notices that,
    // and the copy's can't. A copy without this table's rows has its indexes made again.
    if try source.hasTable("signalbox_search"),
      (try? source.query("SELECT version, layout FROM signalbox_search").run { _ in }) != nil
    {
      try target.keepIndexesOfWords(countedAs: source.schemaVersion)
    }
    return version
  }

  /// Begins the transaction of a copy, again if the file's key is changed meanwhile.
  private func beginCopy() throws -> (StoreConnection, version: Int64) {
    while true {
      let source = try makeReader()
      do {
        try source.execute("BEGIN")
        return (source, try source.control.version())
      } catch StoreError.storage(let fault) where fault.kind == .wrongKey {
        guard file.key?.hasChanged(since: source.keyNumber) ?? false else {
          throw StoreError.storage(fault)
        }
      }
    }
  }
}

extension Connection {
  /// Has the indexes of words of a copy be up to date if they were in the file that was copied.
  ///
  /// SQLite gives the copy another count of schema changes than `count`, that of the file. An index
  /// that was behind by this count stays behind, whatever the copy's count is.
  fileprivate func keepIndexesOfWords(countedAs count: Int64) throws {
    // The copy is read with a WAL from now on. In this mode it needs no shared memory, which a disk
    // for copies may not have.
    try execute("PRAGMA locking_mode = EXCLUSIVE")
    try query(
      """
      UPDATE signalbox_search SET version = CASE layout WHEN ? THEN version ELSE -1 END, layout = ?
      """
    ).run([.integer(count), .integer(schemaVersion)])
    // Closing the file would do this, too, but couldn't report a failure.
    try execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
