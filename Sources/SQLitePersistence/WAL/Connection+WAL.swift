internal import CSQLite
internal import EntityStore

// What a connection does with the file's write-ahead log.
extension Connection {
  /// Leaves the WAL as it is when this closes, though it be the last.
  func keepWAL() { _ = sb_sqlite_keep_log(handle) }

  /// Has SQLite open the WAL, as it does with the first read.
  func openWAL() throws { try execute("SELECT 1 FROM sqlite_master LIMIT 1") }

  /// Writes the WAL's bytes once more and syncs them.
  ///
  /// A WAL that a process has left behind may have pages that only the system's memory has: a sync has failed, after
  /// which the system takes them for written, or there was none. What is read of them is right, so commits would be
  /// put behind them, and a later sync wouldn't reach them; after a loss of power the WAL would end where they
  /// are. Written again, they are synced with all that comes.
  ///
  /// The bytes stay as they are, so others may read and checkpoint meanwhile.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if that fails.
  /// - Precondition: a transaction that writes is open, so that nobody adds to the WAL.
  func renewWAL() throws {
    guard let file = walFile, let methods = file.pointee.pMethods else { return }
    var size: sqlite3_int64 = 0
    try check(methods.pointee.xFileSize(file, &size))
    if size == 0 { return }
    // SQLite's file system takes 128 KB at a time, less a byte.
    let block = 1 << 16
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: block, alignment: 8)
    defer { bytes.deallocate() }
    for offset in stride(from: 0, to: size, by: block) {
      let count = Int32(clamping: min(sqlite3_int64(block), size - offset))
      try check(methods.pointee.xRead(file, bytes, count, offset))
      try check(methods.pointee.xWrite(file, bytes, count, offset))
    }
    if let fault = syncWAL() { throw StoreError.storage(fault) }
  }

  private func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw StoreError.storage(fault(code)) }
  }

  /// The open WAL, or nil if it isn't open.
  var walFile: UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
      file?.pointee.pMethods != nil
    else { return nil }
    return file
  }

  /// Syncs the WAL, and gives the fault if that fails.
  func syncWAL() -> StorageFault? {
    guard let file = walFile, let sync = file.pointee.pMethods.pointee.xSync else {
      return fault(SQLITE_IOERR)
    }
    #if canImport(Darwin)
    // There a plain sync doesn't reach the disk itself.
    let code = sync(file, SQLITE_SYNC_FULL)
    #else
    let code = sync(file, SQLITE_SYNC_NORMAL)
    #endif
    return code == SQLITE_OK ? nil : fault(code)
  }
}
