internal import CSQLite
internal import EntityStore

/// One connection to a file.
///
/// It is used by one thread at a time.
final class Connection {
  let path: String
  let handle: OpaquePointer
  /// How long the log is.
  var log = LogLength()
  /// Whether the log is sound.
  var logHealth = LogHealth()
  /// Who moves the log, if commits don't do it themselves.
  var logMover: LogMover?
  /// Who syncs the log, if commits don't do it themselves.
  var logSync: LogSync?
  /// The last fault it has reported.
  var lastFault: StorageFault?
  /// What it is doing, for the errors it reports.
  var activity = Activity.opening
  /// Whether it has met no fault.
  var isSound = true
  /// Where the file was when the storage was opened.
  var place: FilePlace?
  /// Ends statements that would go on without end.
  let stepWatch: StepWatch
  /// The statements of queries, by their SQL; they come and go.
  private var queries: [ExactText: Statement] = [:]
  /// The entities that the store was opened with.
  var known: Set<EntityDescription> = []
  /// The tables that the store was opened without, once an object has been deleted.
  private var knownStrangers: Strangers?
  /// Notices that others have migrated the file, once it is open.
  var schemaWatch: SchemaWatch?
  /// The statements of entities; they stay.
  private var entities: [EntityDescription: EntityStatements] = [:]
  /// The statements of the entity that was asked for last, which is mostly the next one, too.
  private var lastEntity: EntityStatements?
  private var kept: [Statement] = []
  /// How many transactions there have been that write.
  private var transactions = 0
  /// For how many milliseconds it waits for others.
  static let patience: Int32 = 5000
  /// The statements of transactions.
  private lazy var control = TransactionStatements(self)

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
    sqlite3_busy_timeout(handle, Self.patience)
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
  func execute(_ sql: String, readsTables: Bool = false) throws {
    let statement = try prepare(sql, 0, readsTables: readsTables)
    defer { statement.finalize() }
    while try statement.step() {}
  }

  /// The statements of an entity's rows.
  ///
  /// - Throws: ``/EntityStore/StoreError/unknownEntity(_:)``, though the file may have a table of that name.
  func statements(of entity: EntityDescription) throws -> EntityStatements {
    if let lastEntity, lastEntity.entity === entity { return lastEntity }
    if let statements = entities[entity] {
      lastEntity = statements
      return statements
    }
    guard known.contains(entity) else { throw StoreError.unknownEntity(entity.name) }
    let statements = EntityStatements(entity, of: self)
    entities[entity] = statements
    lastEntity = statements
    return statements
  }

  /// The tables that refer to the store's objects and that it was opened without.
  ///
  /// They hold for the transaction that is open.
  func strangers() throws -> Strangers {
    if let strangers = knownStrangers, strangers.schema == (try Strangers.schema(self)) {
      return strangers
    }
    let strangers = try Strangers(self)
    knownStrangers = strangers
    return strangers
  }

  /// The prepared statement of `sql`, for as long as the connection lives.
  func statement(_ sql: String) throws -> Statement {
    let statement = try prepare(sql)
    kept.append(statement)
    return statement
  }

  /// The prepared statement of a query, kept for the next time while there are not too many.
  func query(_ sql: String) throws -> Statement {
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

  /// Begins a transaction that reads, with its first SELECT.
  func begin() throws { try control.begin() }

  /// Begins a transaction that writes: from here on nobody else does.
  func beginWriting() throws { try control.beginWriting() }

  /// Ends the transaction.
  func commit() throws { try control.commit() }

  /// The version of the last commit.
  func version() throws -> Int64 { try control.version() }

  /// The version of the last commit, and what was drawn for it.
  func newest() throws -> (version: Int64, token: Int64) { try control.newest() }

  /// What was drawn for a version, or nil if the log doesn't have it any more.
  func token(of version: Int64) throws -> Int64? { try control.token(of: version) }

  /// A number that no transaction of this connection has had.
  func nextTransaction() -> Int {
    transactions += 1
    return transactions
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Throws if SQLite has undone the transaction, as it does when a read fails, too.
  ///
  /// Whoever read may have kept the error to himself, and each statement from here on would be a transaction of
  /// its own, of another version.
  func checkIsInTransaction() throws {
    if isInTransaction { return }
    throw StoreError.storage(
      lastFault
        ?? StorageFault(
          .other, "\(path): SQLite has undone what was being done; try it again", path: path))
  }

  /// What the last call on this connection reports.
  func fault(_ code: Int32) -> StorageFault {
    if code & 0xFF == SQLITE_INTERRUPT, let finding = stepWatch.finding {
      lastFault = finding
      return finding
    }
    let fault = StorageFault(
      code: code, words: String(cString: sqlite3_errmsg(handle)), systemError: systemError(code),
      path: path, operation: "\(activity)")
    lastFault = fault
    // Whatever it was that has synced.
    if isFailedSync(code) { logHealth.fail(fault) }
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
