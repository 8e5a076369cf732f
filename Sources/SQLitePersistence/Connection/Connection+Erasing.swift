internal import CSQLite
internal import EntityStore

// What was deleted stays in the log, in free pages and in the WAL until something else is written there.
extension Connection {
  /// Runs `body`, and has SQLite overwrite what that deletes.
  func withOverwriting(_ body: () throws -> Void) throws {
    var was: Int64 = 0
    try query("PRAGMA secure_delete").run { was = $0.integer(0) }
    try execute("PRAGMA secure_delete = ON")
    defer { if was != 1 { try? execute("PRAGMA secure_delete = \(was == 2 ? "FAST" : "OFF")") } }
    try body()
  }

  /// Deletes the values of rows that a tool's `ANALYZE` has kept to plan queries by; how many rows there are stays.
  func forgetSamples() throws {
    var names: [String] = []
    try query("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'sqlite_stat%'")
      .run {
        names.append($0.value(0).description)
      }
    for name in names
    where ["sqlite_stat2", "sqlite_stat3", "sqlite_stat4"].contains(SQLName.folded(name)) {
      // All of a table's rows go in one step.
      try stepWatch.checkTrees()
      try execute("DELETE FROM \(SQLName.quoted(name))")
    }
  }

  /// Writes the file anew without free pages, and empties the WAL.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)``, of the kind `busy` if somebody reads or writes all the time:
  ///   the WAL has old pages still.
  func writeAnew() throws {
    // It would write what the trees say, and a crafted file's may say any amount.
    try TreeCheck(self).check(isForCopy: true)
    // Within SQLite that is a second database, into which everything is copied, and back.
    let attached = sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, -1)
    if attached < 1 { sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1) }
    defer { sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, attached) }
    try withQuotedTexts { try execute("VACUUM") }
    // SQLite waits for readers, but not for a thread that moves the WAL just then.
    let end = ContinuousClock.now + .milliseconds(try waiting())
    var code = SQLITE_OK
    repeat {
      if code != SQLITE_OK { sqlite3_sleep(2) }
      code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    } while code & 0xFF == SQLITE_BUSY && .now < end
    if code & 0xFF == SQLITE_BUSY {
      throw StoreError.storage(
        StorageFault(
          .busy,
          "\(path): somebody reads or writes it all the time, a read of this program perhaps, so its -wal may have "
            + "deleted values still; end long reads and call it again", path: path,
          operation: "\(activity)"))
    }
    if code != SQLITE_OK { throw StoreError.storage(fault(code)) }
  }

  /// For how many milliseconds it waits for others.
  private func waiting() throws -> Int {
    var waiting = 0
    try query("PRAGMA busy_timeout").run { waiting = Int(clamping: $0.integer(0)) }
    return waiting
  }
}
