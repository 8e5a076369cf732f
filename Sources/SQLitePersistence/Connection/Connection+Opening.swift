internal import SQLiteLibrary
internal import EntityStore

// SQLite creates a WAL and shared memory beside a file that a store has closed, also for a
// connection that only reads. A store that only reads doesn't let it. If SQLite can't read the file
// then, it is opened alone: without both, and without SQLite's own locks. That is right for as long
// as nobody writes to the file itself, which this connection makes sure of:
//
// - It holds the lock `SHARED` on the file from the beginning to the end. Each connection with a
//   WAL holds the same one, so it keeps nobody from opening, committing or checkpointing.
// - A writer without a WAL needs the lock `EXCLUSIVE` before it writes to the file, and doesn't get
//   it.
// - A writer with a WAL creates it before it writes to the file, in a checkpoint. It deletes the
//   WAL only under `EXCLUSIVE`. So if there is no WAL at some moment, there has been none since the
//   lock was taken, and what has been read until then is of one version.
//
// The connection looks for a WAL after each step of a statement, before the values are used. If
// there is one, the connection is of no more use, and another one reads beside the writer.
//
// A file that another tool has made, as by `VACUUM INTO`, has a journal and no WAL. SQLite reads it
// without creating anything, so it isn't opened alone. It is locked only while it is read: the
// first store that writes needs the lock `EXCLUSIVE` to give it a WAL.
extension Connection {
  static func open(_ file: DatabaseFile, _ access: Access) throws -> OpaquePointer {
    guard file.isReadOnly else { return try open(file, file.opening(access.flags)) }
    guard ReadingFileSystem.name != nil else {
      throw StoreError.fault(
        .other, "\(file.path): there is no memory left; free some and try again", path: file.path)
    }
    return try open(file, file.openingBesideWriter)
  }

  /// Opens the file alone, or returns nil if a writer has come.
  static func openAlone(
    _ file: DatabaseFile
  ) throws -> (handle: OpaquePointer, absentLog: String)? {
    let alone = try open(file, file.openingAlone)
    if lock(alone), let log = absentLog(of: alone) { return (alone, log) }
    sqlite3_close_v2(alone)
    return nil
  }

  private static func open(
    _ file: DatabaseFile, _ opening: DatabaseFile.Opening
  ) throws -> OpaquePointer {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      opening.name, &opened, SQLITE_OPEN_NOMUTEX | opening.flags, opening.vfs)
    if code == SQLITE_OK, let opened { return opened }
    let fault = StorageFault(
      code: sqlite3_extended_errcode(opened), words: String(cString: sqlite3_errmsg(opened)),
      systemError: sqlite3_system_errno(opened), file: file,
      operation: "\(ConnectionActivity.opening)")
    sqlite3_close_v2(opened)
    throw StoreError.storage(fault)
  }

  private static func file(
    of handle: OpaquePointer
  ) -> (file: UnsafeMutablePointer<sqlite3_file>, methods: sqlite3_io_methods)? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods else { return nil }
    return (file, methods.pointee)
  }

  /// Takes the lock that a reader has, until the connection closes.
  private static func lock(_ handle: OpaquePointer) -> Bool {
    guard let (file, methods) = file(of: handle), let lock = methods.xLock else { return false }
    return lock(file, SQLITE_LOCK_SHARED) == SQLITE_OK
  }

  /// Returns true if a file that isn't encrypted says that it is read with a WAL.
  static func isOfWAL(_ handle: OpaquePointer) -> Bool {
    guard let (file, methods) = file(of: handle), let read = methods.xRead else { return false }
    // The versions of the format, for writers and for readers; 2 means a WAL.
    var versions: (UInt8, UInt8) = (0, 0)
    return read(file, &versions, 2, 18) == SQLITE_OK && versions == (2, 2)
  }

  /// Returns the path of the WAL if there is none, and no journal either.
  static func absentLog(of handle: OpaquePointer) -> String? {
    #if os(Windows)
    // There the file is always read beside a writer.
    return nil
    #else
    guard let name = sqlite3_db_filename(handle, "main") else { return nil }
    let path = String(cString: name)
    return isAbsent(path + "-wal") && isAbsent(path + "-journal") ? path + "-wal" : nil
    #endif
  }

  /// Returns true if it is certain that nothing has this path.
  private static func isAbsent(_ path: String) -> Bool {
    var identity = signalbox_file_identity()
    return signalbox_is_gone(signalbox_identify(path, &identity)) != 0
  }

  /// True if there was no WAL when the file was opened, and there is one now.
  var hasWriterCome: Bool { absentLog.map { !Self.isAbsent($0) } ?? false }

  /// The fault of a connection that has opened the file alone, once a writer has come, or nil.
  var writerFault: StorageFault? {
    guard stepWatch.isAlone, hasWriterCome else { return nil }
    return StorageFault(
      .busy, "\(path): another process has opened it while it was read; try again", path: path,
      operation: "\(activity)")
  }

  /// Throws if the connection has opened the file alone, and a writer has come.
  ///
  /// If this doesn't throw, everything that has been read is of one version.
  func checkAlone() throws { if let writerFault { throw StoreError.storage(writerFault) } }
}
