internal import CSQLite
internal import EntityStore

extension Connection {
  /// Writes the log's bytes once more and syncs them.
  ///
  /// A log that a process has left behind may have pages that only the system's memory has: a sync has failed, after
  /// which the system takes them for written, or there was none. What is read of them is right, so commits would be
  /// put behind them, and a later sync wouldn't reach them; after a loss of power the log would end where they
  /// are. Written again, they are synced with all that comes.
  ///
  /// The bytes stay as they are, so others may read and move the log meanwhile.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if that fails.
  /// - Precondition: a transaction that writes is open, so that nobody adds to the log.
  func renewLog() throws {
    guard let file = logFile, let methods = file.pointee.pMethods else { return }
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
    if let fault = syncLog() { throw StoreError.storage(fault) }
  }

  private func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw StoreError.storage(fault(code)) }
  }
}

extension Connection {
  /// The open log, or nil if it isn't open.
  var logFile: UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
      file?.pointee.pMethods != nil
    else { return nil }
    return file
  }

  /// Syncs the log, and gives the fault if that fails.
  func syncLog() -> StorageFault? {
    guard let file = logFile, let sync = file.pointee.pMethods.pointee.xSync else {
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
