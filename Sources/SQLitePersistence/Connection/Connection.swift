internal import SQLiteLibrary
internal import EntityStore

/// A connection to a file.
///
/// It is used by one thread at a time.
class Connection {
  final let file: DatabaseFile
  /// SQLite's handle, which stays the same once the connection has been made.
  @exclusivity(unchecked) final private(set) var handle: OpaquePointer
  final var keyNumber = 0
  final var syncFailed: ((StorageFault) -> Void)?
  final var lastFault: StorageFault?
  /// The current activity, for the errors that the connection reports.
  final var activity = ConnectionActivity.opening
  /// The number of times that the connection has read the definitions of all tables.
  final var definitionReads = 0
  /// True if the connection has met no fault.
  final var isSound = true
  /// The identity of the file when the storage was opened.
  final var place: FileIdentity?
  /// The path of the WAL, if a store that only reads has opened the file without one
  /// (`Connection+Opening`).
  final private(set) var absentLog: String?
  private let isForWriting: Bool
  /// The watch that ends statements that would never end.
  final let stepWatch: StepWatch
  /// The wait for locks that others hold.
  final let busyHandler = BusyHandler()
  /// The gate that the connection's user has entered, if the store can be suspended.
  final var gate: FileGate? {
    get { stepWatch.gate }
    set {
      stepWatch.gate = newValue
      busyHandler.gate = newValue
    }
  }
  /// The check of the statements of an app, once there has been one.
  final var readAuthorizer: ReadAuthorizer?
  /// The cached statements of queries, by their SQL.
  private var queries: [ExactText: Statement] = [:]
  private var kept: [Statement] = []
  enum Access {
    case readWriteCreate
    case readWrite
    case readOnly

    var flags: Int32 {
      switch self {
      case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    }
  }

  /// Opens the file, in order to check its trees if `isChecking` is true.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the file can't be opened.
  init(_ file: DatabaseFile, _ access: Access, isChecking: Bool = false) throws {
    self.file = file
    isForWriting = access != .readOnly
    stepWatch = StepWatch(file, isChecking: isChecking)
    let path = file.path
    if file.vfs == nil { try Self.checkIsFile(path) }
    handle = try Self.open(file, access)
    if file.vfs == nil { stepWatch.file.path = absolutePath }
    try configure()
    if file.isReadOnly { try findWAL() }
  }

  /// Configures SQLite's handle, before anything of the file is read.
  private func configure() throws {
    sqlite3_extended_result_codes(handle, 1)
    busyHandler.limit = busyTimeout
    busyHandler.begin(handle)
    // Otherwise SQLite would try to checkpoint when it closes.
    if file.isReadOnly { keepWAL() } else { deleteWALAtEnd() }
    try unlock()
    stepWatch.begin(handle)
    try distrust(isWriting: isForWriting)
    try addFunctions()
  }

  /// Opens the file alone if SQLite needs a WAL to read it and there is none.
  private func findWAL() throws {
    let lacksWAL =
      file.key == nil && Self.isOfWAL(handle) && Self.absentLog(of: handle) != nil
    if lacksWAL || cannotOpenWAL(), let alone = try Self.openAlone(file) {
      sqlite3_close_v2(handle)
      handle = alone.handle
      absentLog = alone.absentLog
      stepWatch.isAlone = true
      try configure()
    } else if walFile == nil {
      absentLog = Self.absentLog(of: handle)
    }
  }

  /// Returns true if SQLite misses a WAL when it reads the file, which SQLite also logs.
  private func cannotOpenWAL() -> Bool {
    // The next read waits for others, and reports all other errors.
    busyHandler.limit = .zero
    defer { busyHandler.limit = busyTimeout }
    let (code, statement, _) = prepareFirst(of: "PRAGMA data_version", 0)
    let outcome = code == SQLITE_OK ? sqlite3_step(statement) : code
    sqlite3_finalize(statement)
    return outcome & 0xFF == SQLITE_CANTOPEN
  }

  final var path: String { file.path }

  /// The time for which the connection waits for others.
  ///
  /// Reads beside a writer wait only for moments, such as the one in which another process closes
  /// the file.
  private var busyTimeout: Duration {
    isForWriting || file.isReadOnly ? file.busyTimeout : .seconds(5)
  }

  deinit {
    for statement in kept { statement.finalize() }
    for statement in queries.values { statement.finalize() }
    // An interruption that came too late is still there, and would end the checkpoint that SQLite
    // makes when the last connection closes. SQLite removes it when it prepares any text.
    var none: OpaquePointer?
    sqlite3_prepare_v3(handle, "", -1, 0, &none, nil)
    sqlite3_close_v2(handle)
  }

  /// Runs one statement, and ignores the rows that it returns.
  ///
  /// `readsTables` is true if SQLite itself reads one of its own tables that describe tables. Later
  /// versions do so when a column is added, and they look at all rows.
  final func execute(_ sql: String, readsTables: Bool = false) throws {
    let statement = try prepare(sql, 0, readsTables: readsTables)
    defer { statement.finalize() }
    while try statement.step() {}
  }

  /// Returns the prepared statement of `sql`, which lives as long as the connection.
  final func statement(_ sql: String) throws -> Statement {
    let statement = try prepare(sql)
    kept.append(statement)
    return statement
  }

  /// Returns the prepared statement of a query, which is cached while there aren't too many.
  final func query(_ sql: String) throws -> Statement {
    let key = ExactText(sql)
    if let statement = queries[key] { return statement }
    if queries.count >= 200 {
      // A statement that is being stepped stays: a query may run while rows of another one are
      // read.
      for (key, statement) in queries where !statement.isBusy {
        statement.finalize()
        queries[key] = nil
      }
    }
    let statement = try prepare(sql)
    queries[key] = statement
    return statement
  }

  /// Runs `body` with the cached statement of a query, or with a new one if that is being stepped.
  final func withQuery(_ sql: String, _ body: (Statement) throws -> Void) throws {
    let cached = try query(sql)
    if !cached.isBusy { return try body(cached) }
    let statement = try prepare(sql)
    defer { statement.finalize() }
    try body(statement)
  }

  /// Returns the whole number that a query returns, or nil if it returns no row.
  final func integer(_ sql: String, _ values: [StoredValue] = []) throws -> Int64? {
    var number: Int64?
    try query(sql).run(values) { number = $0.integer(0) }
    return number
  }

  /// Returns the first column of what a query returns.
  final func texts(_ sql: String, _ values: [StoredValue] = []) throws -> [String] {
    var texts: [String] = []
    try query(sql).run(values) { texts.append($0.value(0).description) }
    return texts
  }

  /// Prepares `sql`, which must be exactly one statement.
  ///
  /// Text from a file may contain further statements behind the first. They must not run.
  private func prepare(
    _ sql: String, _ flags: Int32 = SQLITE_PREPARE_PERSISTENT, readsTables: Bool = false
  ) throws -> Statement {
    var flags = flags
    // A virtual table runs code on the contents of the file. Those that describe tables are
    // SQLite's own.
    // So are indexes of words, whose definitions are checked.
    if !readsTables && !sql.contains("pragma_") && !sql.contains(StoreTables.searchPrefix) {
      flags |= SQLITE_PREPARE_NO_VTAB
    }
    let (code, prepared, isWhole) = prepareFirst(of: sql, flags)
    guard code == SQLITE_OK else { throw StoreError.storage(fault(code)) }
    guard let prepared, isWhole else {
      sqlite3_finalize(prepared)
      throw StoreError.fault(
        .corrupt, "\(path): something stands behind a statement that the file has; put back a copy",
        path: path, operation: "\(activity)")
    }
    return Statement(prepared, of: self)
  }

  /// Prepares the first statement of `sql`; `isWhole` is true if nothing stands behind it.
  final func prepareFirst(
    of sql: String, _ flags: Int32
  ) -> (code: Int32, handle: OpaquePointer?, isWhole: Bool) {
    var sql = sql
    var prepared: OpaquePointer?
    stepWatch.notePreparing()
    busyHandler.notePreparing()
    return sql.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(
          handle, text.baseAddress, Int32(clamping: text.count), UInt32(flags), &prepared, &tail)
        return (code, prepared, text.baseAddress.map { $0 + text.count } == tail)
      }
    }
  }

  /// True if a statement has returned a row and isn't reset.
  final var isRunningStatement: Bool {
    var statement = sqlite3_next_stmt(handle, nil)
    while let one = statement {
      if sqlite3_stmt_busy(one) != 0 { return true }
      statement = sqlite3_next_stmt(handle, one)
    }
    return false
  }

  final var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Throws if the store has been suspended, unless this thread completes a commit.
  final func checkGate() throws { try gate?.check(activity) }

  /// Throws if SQLite has rolled back the transaction.
  ///
  /// SQLite does that when a read fails, too. The code that read may have ignored the error. Each
  /// further statement would then be a separate transaction, of another version.
  final func checkIsInTransaction() throws {
    if isInTransaction { return }
    throw StoreError.storage(
      lastFault
        ?? StorageFault(
          .other, "\(path): SQLite has undone what was being done; try it again", path: path))
  }

  /// Returns the fault that the last call on this connection reports.
  final func fault(_ code: Int32) -> StorageFault {
    if let writerFault {
      // Pages of two versions may look like damage.
      lastFault = writerFault
      return writerFault
    }
    if code & 0xFF == SQLITE_INTERRUPT, let finding = stepWatch.finding {
      lastFault = finding
      return finding
    }
    // Both the step watch and the busy handler end what goes on when the gate is closed. It may be
    // open again.
    let isBusy = code & 0xFF == SQLITE_BUSY
    if isBusy || code & 0xFF == SQLITE_INTERRUPT, let gate,
      gate.isClosedHere || (isBusy ? busyHandler.wasEndedByGate : stepWatch.wasEndedByGate)
    {
      let fault = gate.fault(activity)
      lastFault = fault
      return fault
    }
    let fault = StorageFault(
      code: code, words: String(cString: sqlite3_errmsg(handle)), systemError: systemError(code),
      file: file,
      isPlain: code & 0xFF == SQLITE_NOTADB && file.key != nil && sb_is_plain(handle) != 0,
      operation: "\(activity)")
    lastFault = fault
    // The code that read may ignore the fault and read on. The cache may be wrong afterwards.
    if code & 0xFF == SQLITE_CORRUPT { isSound = false }
    // Any operation may have synced.
    if StorageFault.isFailedSync(code) { syncFailed?(fault) }
    return fault
  }

  /// Returns the operating system's error number, or 0.
  ///
  /// For other result codes, SQLite keeps an old number.
  private func systemError(_ code: Int32) -> Int32 {
    if code == signalbox_ioerr_write || code == signalbox_ioerr_fsync {
      return signalbox_log_error(handle)
    }
    return [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF) ? sqlite3_system_errno(handle) : 0
  }
}
