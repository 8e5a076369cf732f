internal import CSQLite
internal import EntityStore

/// One connection to a file.
///
/// It is used by one thread at a time.
final class Connection {
  let path: String
  let handle: OpaquePointer
  /// The statements of queries, by their SQL; they come and go.
  private var queries: [String: Statement] = [:]
  /// The entities that the store was opened with.
  var known: Set<EntityDescription> = []
  /// The tables that the store was opened without, once an object has been deleted.
  private var knownStrangers: Strangers?
  /// The statements of entities; they stay.
  private var entities: [EntityDescription: EntityStatements] = [:]
  private var kept: [Statement] = []

  enum Access {
    case readWriteCreate
    case readOnly
  }

  init(path: String, _ access: Access) throws {
    self.path = path
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_NOMUTEX
      | (access == .readOnly
        ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let fault = StorageFault(code: code, message: "not opened", path: path)
      sqlite3_close_v2(opened)
      throw StoreError.storage(fault)
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, 5000)
  }

  /// Makes the connection ready to write.
  ///
  /// The file is known to be ours by now.
  func prepareToWrite(_ durability: Durability) throws {
    var mode = ""
    try statement("PRAGMA journal_mode = WAL").run { mode = $0.value(0).description }
    guard mode == "wal" else {
      throw StoreError.storage(
        StorageFault(
          .other,
          "\(path): the file system has no shared memory, which reading beside writing needs; keep "
            + "the file on a local disk"))
    }
    if durability == .full { try syncWholly() }
    try execute("PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
  }

  /// Makes every sync reach the disk itself, which a plain one doesn't everywhere.
  func syncWholly() throws {
    #if canImport(Darwin)
    try execute("PRAGMA fullfsync = 1")
    try execute("PRAGMA checkpoint_fullfsync = 1")
    #endif
  }

  deinit {
    for statement in kept { statement.finalize() }
    for statement in queries.values { statement.finalize() }
    sqlite3_close_v2(handle)
  }

  /// Runs SQL of ours that gives no rows that matter.
  func execute(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw StoreError.storage(fault(code)) }
  }

  /// The statements of an entity's rows.
  ///
  /// - Throws: ``StoreError/unknownEntity(_:)``, though the file may have a table of that name.
  func statements(of entity: EntityDescription) throws -> EntityStatements {
    if let statements = entities[entity] { return statements }
    guard known.contains(entity) else { throw StoreError.unknownEntity(entity.name) }
    let statements = EntityStatements(entity, of: self)
    entities[entity] = statements
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
    if let statement = queries[sql] { return statement }
    if queries.count >= 200 {
      // One that is being stepped through stays: a query may run while another one's rows come in.
      for (sql, statement) in queries where !statement.isBusy {
        statement.finalize()
        queries[sql] = nil
      }
    }
    let statement = try prepare(sql)
    queries[sql] = statement
    return statement
  }

  private func prepare(_ sql: String) throws -> Statement {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw StoreError.storage(fault(code)) }
    return Statement(prepared, of: self)
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// What the last call on this connection reports.
  func fault(_ code: Int32) -> StorageFault {
    StorageFault(code: code, message: String(cString: sqlite3_errmsg(handle)), path: path)
  }
}
