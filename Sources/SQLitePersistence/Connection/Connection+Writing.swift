internal import SQLiteLibrary
internal import EntityStore

// Additions for connections that write.
extension Connection {
  /// Throws if the file was opened for reading only, which SQLite does if its permissions allow no
  /// more.
  func checkIsWritable() throws {
    guard sqlite3_db_readonly(handle, "main") == 1 else { return }
    throw StoreError.storage(
      StorageFault(
        code: SQLITE_READONLY, words: String(cString: sqlite3_errstr(SQLITE_READONLY)),
        systemError: 0, file: file, operation: "\(activity)"))
  }

  /// At this point the file is known to be a store's file.
  func prepareToWrite(_ durability: Durability) throws {
    var mode = ""
    let change = try statement("PRAGMA journal_mode = WAL")
    do {
      try file.waiting { try change.run { mode = $0.value(0).description } }
    } catch StoreError.storage(let fault) where fault.kind == .busy {
      throw StoreError.storage(
        StorageFault(
          .busy,
          "\(path): somebody reads or writes it, so it can't be given a WAL; end long reads of it, "
            + "and try again", path: path, operation: fault.operation, code: fault.code,
          extendedCode: fault.extendedCode, detail: fault.detail))
    }
    guard mode == "wal" else {
      throw StoreError.fault(
        .other,
        "\(path): the file system has no shared memory, which reading beside writing needs; keep "
          + "the file on a local disk")
    }
    if durability == .full { try syncWholly() }
    try execute("PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
  }

  /// The greatest number of bytes that an open write transaction hasn't written to the disk yet.
  ///
  /// They are in SQLite's cache, together with pages that were read.
  var unwrittenBytes: Int64 {
    guard sqlite3_txn_state(handle, "main") == SQLITE_TXN_WRITE else { return 0 }
    var bytes: Int32 = 0
    var highest: Int32 = 0
    let code = sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &bytes, &highest, 0)
    return code == SQLITE_OK ? Int64(max(bytes, 0)) : 0
  }

  /// Makes every sync reach the disk itself.
  ///
  /// A plain sync doesn't do that on every system.
  func syncWholly() throws {
    #if canImport(Darwin)
    try execute("PRAGMA fullfsync = 1")
    try execute("PRAGMA checkpoint_fullfsync = 1")
    #endif
  }
}
