internal import CSQLite
internal import EntityStore

/// One connection to a file.
///
/// It is used by one thread at a time.
class Connection {
  final let path: String
  final let handle: OpaquePointer
  /// Takes note of a sync that has failed.
  final var syncFailed: ((StorageFault) -> Void)?
  /// The last fault it has reported.
  final var lastFault: StorageFault?
  /// What it is doing, for the errors it reports.
  final var activity = ConnectionActivity.opening
  /// Whether it has met no fault.
  final var isSound = true
  /// Where the file was when the storage was opened.
  final var place: FileIdentity?
  /// Ends statements that would go on without end.
  final let stepWatch: StepWatch
  /// The statements of queries, by their SQL; they come and go.
  private var queries: [ExactText: Statement] = [:]
  private var kept: [Statement] = []
  /// For how many milliseconds it waits for others.
  static let busyTimeout: Int32 = 5000
  enum Access {
    case readWriteCreate
    case readWrite
    case readOnly

    fileprivate var flags: Int32 {
      switch self {
      case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    }
  }

  /// Opens the file, through the default of SQLite's file systems or one with a name.
  ///
  /// - Parameters:
  ///   - path: where it is.
  ///   - access: what may be done to it.
  ///   - vfs: the name of the file system.
  ///   - isChecking: whether the connection is there to look at the file's trees.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if it can't be opened.
  init(path: String, _ access: Access, vfs: String? = nil, isChecking: Bool = false) throws {
    self.path = path
    stepWatch = StepWatch(path: path, vfs: vfs, isChecking: isChecking)
    if vfs == nil { try Self.checkIsFile(path) }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_NOMUTEX | access.flags, vfs)
    guard code == SQLITE_OK, let opened else {
      let fault = StorageFault(
        code: sqlite3_extended_errcode(opened), words: String(cString: sqlite3_errmsg(opened)),
        systemError: sqlite3_system_errno(opened), path: path, operation: "\(activity)")
      sqlite3_close_v2(opened)
      throw StoreError.storage(fault)
    }
    handle = opened
    if vfs == nil { stepWatch.path = absolutePath }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Self.busyTimeout)
    stepWatch.begin(handle)
    try distrust(isWriting: access != .readOnly)
  }

  deinit {
    for statement in kept { statement.finalize() }
    for statement in queries.values { statement.finalize() }
    sqlite3_close_v2(handle)
  }

  /// Runs one statement that gives no rows that matter.
  ///
  /// - Parameters:
  ///   - sql: the statement.
  ///   - readsTables: whether SQLite itself reads a table of its own for it that tells of tables: later versions do
  ///     where a column is added, and look at all rows.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)``.
  final func execute(_ sql: String, readsTables: Bool = false) throws {
    let statement = try prepare(sql, 0, readsTables: readsTables)
    defer { statement.finalize() }
    while try statement.step() {}
  }

  /// The prepared statement of `sql`, for as long as the connection lives.
  final func statement(_ sql: String) throws -> Statement {
    let statement = try prepare(sql)
    kept.append(statement)
    return statement
  }

  /// The prepared statement of a query, kept for the next time while there are not too many.
  final func query(_ sql: String) throws -> Statement {
    let key = ExactText(sql)
    if let statement = queries[key] { return statement }
    if queries.count >= 200 {
      // One that is being stepped through stays: a query may run while another one's rows come in.
      for (key, statement) in queries where !statement.isBusy {
        statement.finalize()
        queries[key] = nil
      }
    }
    let statement = try prepare(sql)
    queries[key] = statement
    return statement
  }

  /// Prepares the one statement that `sql` is.
  ///
  /// Text of a file's may have others behind it, which nobody is to run.
  private func prepare(
    _ sql: String, _ flags: Int32 = SQLITE_PREPARE_PERSISTENT, readsTables: Bool = false
  ) throws -> Statement {
    var sql = sql
    var flags = flags
    // A virtual table runs code over what the file has; those that tell of tables are SQLite's own.
    if !readsTables && !sql.contains("pragma_") { flags |= SQLITE_PREPARE_NO_VTAB }
    var prepared: OpaquePointer?
    var isWhole = false
    stepWatch.notePreparing()
    let code = sql.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(
          handle, text.baseAddress, Int32(clamping: text.count), UInt32(flags), &prepared, &tail)
        isWhole = text.baseAddress.map { $0 + text.count } == tail
        return code
      }
    }
    guard code == SQLITE_OK else { throw StoreError.storage(fault(code)) }
    guard let prepared, isWhole else {
      sqlite3_finalize(prepared)
      throw StoreError.storage(
        StorageFault(
          .corrupt,
          "\(path): something stands behind a statement that the file has; put back a copy",
          path: path, operation: "\(activity)"))
    }
    return Statement(prepared, of: self)
  }

  /// Whether a transaction is open.
  final var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Throws if SQLite has undone the transaction, as it does when a read fails, too.
  ///
  /// Whoever read may have kept the error to himself, and each statement from here on would be a transaction of
  /// its own, of another version.
  final func checkIsInTransaction() throws {
    if isInTransaction { return }
    throw StoreError.storage(
      lastFault
        ?? StorageFault(
          .other, "\(path): SQLite has undone what was being done; try it again", path: path))
  }

  /// What the last call on this connection reports.
  final func fault(_ code: Int32) -> StorageFault {
    if code & 0xFF == SQLITE_INTERRUPT, let finding = stepWatch.finding {
      lastFault = finding
      return finding
    }
    let fault = StorageFault(
      code: code, words: String(cString: sqlite3_errmsg(handle)), systemError: systemError(code),
      path: path, operation: "\(activity)")
    lastFault = fault
    // Whatever it was that has synced.
    if StorageFault.isFailedSync(code) { syncFailed?(fault) }
    return fault
  }

  /// The operating system's number for what went wrong; SQLite keeps an old one for other codes.
  private func systemError(_ code: Int32) -> Int32 {
    if code == signalbox_ioerr_write || code == signalbox_ioerr_fsync {
      return signalbox_log_error(handle)
    }
    return [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF) ? sqlite3_system_errno(handle) : 0
  }
}
