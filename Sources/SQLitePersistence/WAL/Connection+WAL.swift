internal import SQLiteLibrary
internal import EntityStore

// Access to the file's write-ahead log.
extension Connection {
  /// Keeps the WAL as it is when this connection closes, even if it is the last one.
  func keepWAL() { _ = sb_sqlite_keep_log(handle) }

  /// Has SQLite delete the WAL when the last connection closes.
  ///
  /// Apple's SQLite would leave an empty one, which looks like that of an open database.
  func deleteWALAtEnd() {
    var isKept: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
  }

  /// Has SQLite open the WAL, as it does with the first read.
  func openWAL() throws { try execute("SELECT 1 FROM sqlite_master LIMIT 1") }

  /// Writes the WAL's bytes again and syncs them.
  ///
  /// A process may have left a WAL behind with pages that exist only in the system's memory. Either
  /// a sync has failed, after which the system considers the pages written, or nothing was synced.
  /// These pages can be read correctly, so commits would be appended to them. But a later sync
  /// wouldn't reach them, and after a loss of power the WAL would end there. Once they are written
  /// again, they are synced with everything that follows.
  ///
  /// The bytes stay the same, so others may read and checkpoint meanwhile.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if that fails.
  /// - Precondition: a write transaction is open, so that nobody appends to the WAL.
  func renewWAL() throws {
    guard let file = walFile, let methods = file.pointee.pMethods else { return }
    var size: sqlite3_int64 = 0
    try check(methods.pointee.xFileSize(file, &size))
    if size == 0 { return }
    // SQLite's file system accepts at most 128 KB at a time, less a byte.
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

  /// The number of bytes of the WAL's file, or 0 if it isn't open.
  var walBytes: Int64 {
    var size: sqlite3_int64 = 0
    if let file = walFile { _ = file.pointee.pMethods.pointee.xFileSize(file, &size) }
    return size
  }

  /// Writes zeros behind the end of the WAL's file, or none if the disk has no room for them.
  ///
  /// - Precondition: a write transaction is open, so that nobody appends to the WAL.
  func extendWAL(from end: Int64, by count: Int64) {
    guard let file = walFile, let methods = file.pointee.pMethods else { return }
    let block = 1 << 16
    let zeros = UnsafeMutableRawPointer.allocate(byteCount: block, alignment: 8)
    defer { zeros.deallocate() }
    zeros.initializeMemory(as: UInt8.self, repeating: 0, count: block)
    for offset in stride(from: end, to: end + count, by: block) {
      let part = Int32(min(sqlite3_int64(block), end + count - offset))
      if methods.pointee.xWrite(file, zeros, part, offset) == SQLITE_OK { continue }
      // The room is for others.
      _ = methods.pointee.xTruncate(file, end)
      return
    }
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

  /// Syncs the WAL, and returns the fault if that fails.
  func syncWAL() -> StorageFault? {
    guard let file = walFile, let sync = file.pointee.pMethods.pointee.xSync else {
      return fault(SQLITE_IOERR)
    }
    #if canImport(Darwin)
    // On Darwin, a plain sync doesn't reach the disk itself.
    let code = sync(file, SQLITE_SYNC_FULL)
    #else
    let code = sync(file, SQLITE_SYNC_NORMAL)
    #endif
    return code == SQLITE_OK ? nil : fault(code)
  }
}
