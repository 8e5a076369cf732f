internal import SQLiteLibrary
internal import EntityStore

// Deleted data stays in the change log, in free pages and in the WAL until it is overwritten.
extension Connection {
  /// Runs `body`, and has SQLite overwrite the data that `body` deletes.
  func withOverwriting(_ body: () throws -> Void) throws {
    let was = try integer("PRAGMA secure_delete") ?? 0
    try execute("PRAGMA secure_delete = ON")
    defer { if was != 1 { try? execute("PRAGMA secure_delete = \(was == 2 ? "FAST" : "OFF")") } }
    try body()
  }

  /// Removes the commits that the file keeps for undo, if it keeps any.
  func clearHistory() throws {
    guard try hasTable("signalbox_history") else { return }
    // Without a condition, SQLite would empty the table in one step, before which all trees would
    // have to be checked. With one, it deletes row by row.
    try execute("DELETE FROM signalbox_history WHERE true")
  }

  /// Deletes the sample values of rows that a tool's `ANALYZE` has stored for query planning.
  ///
  /// The stored row counts stay.
  func forgetSamples() throws {
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'sqlite_stat%'"
    for name in try texts(sql)
    where ["sqlite_stat2", "sqlite_stat3", "sqlite_stat4"].contains(FoldedName.folded(name)) {
      // SQLite deletes all rows of a table in one step.
      try stepWatch.checkTrees()
      try execute("DELETE FROM \(SQL.quoted(name))")
    }
  }

  /// The error of an erasing in whose way others are.
  var erasingFault: StoreError {
    StoreError.fault(
      .busy,
      "\(path): somebody reads or writes it all the time, a read of this program perhaps, so its -wal may have "
        + "deleted values still; end long reads and call it again", path: path,
      operation: "\(activity)")
  }

  /// Rewrites the file without free pages, and empties the WAL.
  ///
  /// The trees must have been checked: VACUUM writes everything that they contain, and those of a
  /// crafted file may contain any amount.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)``, of the kind `busy` if the file is being
  ///   read or written all the time, or `suspended`. The WAL still has old pages then.
  func writeAnew() throws {
    // SQLite attaches a second database, copies everything into it, and copies it back.
    let attached = sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, -1)
    if attached < 1 { sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1) }
    defer { sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, attached) }
    try withQuotedTexts { try execute("VACUUM") }
    // SQLite waits for readers, but not for a thread that is checkpointing the WAL.
    let end = ContinuousClock.now + busyHandler.limit
    var code = SQLITE_OK
    repeat {
      try checkGate()
      if code != SQLITE_OK { sqlite3_sleep(2) }
      code = checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
      // The store has been suspended, and perhaps resumed since.
      if code & 0xFF == SQLITE_INTERRUPT { code = SQLITE_BUSY }
    } while code & 0xFF == SQLITE_BUSY && .now < end
    if code & 0xFF == SQLITE_BUSY { throw erasingFault }
    if code != SQLITE_OK { throw StoreError.storage(fault(code)) }
  }
}
