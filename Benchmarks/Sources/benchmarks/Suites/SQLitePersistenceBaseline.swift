import CSQLiteBaseline
import EntityStore
import SQLitePersistence

/// Items in a file through the C API: the least that SQLite asks for.
///
/// The table, the settings, the transactions and the log's rows are Signalbox's. Every statement is
/// prepared once, `BEGIN` and `COMMIT` too.
final class SQLiteItems {
  private var handle: OpaquePointer?
  private var statements: [OpaquePointer?] = []
  private let begin: OpaquePointer?
  private let beginReading: OpaquePointer?
  private let end: OpaquePointer?
  private let insertion: OpaquePointer?
  private let update: OpaquePointer?
  private let find: OpaquePointer?
  private let fetch: OpaquePointer?
  private let fetchLast: OpaquePointer?
  private let counting: OpaquePointer?
  private let log: OpaquePointer?
  private let version: OpaquePointer?
  /// What the log keeps of each commit.
  var payload: [UInt8]?

  /// Opens the file at `path`, and makes the tables if they aren't there.
  ///
  /// A key is SQLCipher's, in its form for raw keys.
  init(path: String, key: String? = nil, durability: Durability = .normal) throws {
    var handle: OpaquePointer?
    try Self.check(sqlite3_open(path, &handle))
    func run(_ sql: String) throws { try Self.check(sqlite3_exec(handle, sql, nil, nil, nil)) }
    if let key { try run("PRAGMA key = \"\(key)\"") }
    try run("PRAGMA journal_mode = WAL")
    try run("PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
    try run(
      "CREATE TABLE IF NOT EXISTS Item (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, "
        + "number INTEGER NOT NULL) STRICT")
    try run(
      "CREATE TABLE IF NOT EXISTS signalbox_log (version INTEGER PRIMARY KEY NOT NULL, changes BLOB) "
        + "STRICT")
    // A store's own connections have them switched off, since it writes its log itself.
    for name in try Self.triggers(handle) {
      try run(
        "DROP TRIGGER \"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
      )
    }
    var statements: [OpaquePointer?] = []
    func prepare(_ sql: String) throws -> OpaquePointer? {
      var statement: OpaquePointer?
      try Self.check(
        sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
      statements.append(statement)
      return statement
    }
    begin = try prepare("BEGIN IMMEDIATE")
    beginReading = try prepare("BEGIN")
    end = try prepare("COMMIT")
    insertion = try prepare("INSERT INTO Item (id, name, number) VALUES (?, ?, ?)")
    update = try prepare("UPDATE Item SET name = ?, number = ? WHERE id = ?")
    find = try prepare("SELECT id, name, number FROM Item WHERE id = ?")
    fetch = try prepare("SELECT id, name, number FROM Item ORDER BY id")
    fetchLast = try prepare("SELECT id, name, number FROM Item ORDER BY id DESC LIMIT ?")
    counting = try prepare("SELECT COUNT(*) FROM Item")
    log = try prepare("INSERT INTO signalbox_log (changes) VALUES (?)")
    version = try prepare("SELECT COALESCE(MAX(version), 0) FROM signalbox_log")
    self.statements = statements
    self.handle = handle
  }

  private static func triggers(_ handle: OpaquePointer?) throws -> [String] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    try check(
      sqlite3_prepare_v2(
        handle, "SELECT name FROM sqlite_master WHERE type = 'trigger'", -1, &statement, nil))
    var names: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      names.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return names
  }

  deinit {
    for statement in statements { sqlite3_finalize(statement) }
    sqlite3_close(handle)
  }

  // MARK: Writing

  /// Inserts items in one transaction.
  func insert(_ items: [Item]) throws {
    try step(begin)
    for item in items {
      sqlite3_bind_int64(insertion, 1, Int64(item.id))
      try bind(item.name, to: insertion, at: 2) {
        sqlite3_bind_int64(insertion, 3, Int64(item.number))
        try step(insertion)
      }
    }
    try commit()
  }

  /// Counts the numbers of some items up in one transaction, each read before it is written, since
  /// the log keeps what it was.
  func countUp(_ ids: Range<Int>) throws {
    try step(begin)
    for id in ids {
      guard let item = try item(id) else { throw BenchmarkError.wrong("no item \(id)") }
      try bind(item.name, to: update, at: 1) {
        sqlite3_bind_int64(update, 2, Int64(item.number &+ 1))
        sqlite3_bind_int64(update, 3, Int64(id))
        try step(update)
      }
    }
    try commit()
  }

  private func commit() throws {
    if let payload {
      try payload.withUnsafeBytes {
        sqlite3_bind_blob(log, 1, $0.baseAddress, Int32($0.count), nil)
        try step(log)
      }
    } else {
      try step(log)
    }
    try step(end)
  }

  // MARK: Reading

  /// The item with an id, read in a transaction of its own unless one is open.
  func item(_ id: Int) throws -> Item? {
    defer { sqlite3_reset(find) }
    sqlite3_bind_int64(find, 1, Int64(id))
    guard sqlite3_step(find) == SQLITE_ROW else { return nil }
    return row(of: find)
  }

  /// Items by their ids, read in one transaction.
  func items(_ ids: [Int]) throws -> [Item?] {
    try step(beginReading)
    let found = try ids.map(item)
    try step(end)
    return found
  }

  /// All items in the order of their ids.
  func all() throws -> [Item] {
    defer { sqlite3_reset(fetch) }
    var items: [Item] = []
    while sqlite3_step(fetch) == SQLITE_ROW { items.append(row(of: fetch)) }
    return items
  }

  /// The last items in the order of their ids, the last one first.
  func last(_ count: Int) throws -> [Item] {
    defer { sqlite3_reset(fetchLast) }
    sqlite3_bind_int64(fetchLast, 1, Int64(count))
    var items: [Item] = []
    while sqlite3_step(fetchLast) == SQLITE_ROW { items.append(row(of: fetchLast)) }
    return items
  }

  /// The number of items.
  func count() throws -> Int64 {
    defer { sqlite3_reset(counting) }
    try Self.check(sqlite3_step(counting), SQLITE_ROW)
    return sqlite3_column_int64(counting, 0)
  }

  /// The version of the last commit.
  func lastVersion() throws -> Int64 {
    defer { sqlite3_reset(version) }
    try Self.check(sqlite3_step(version), SQLITE_ROW)
    return sqlite3_column_int64(version, 0)
  }

  private func row(of statement: OpaquePointer?) -> Item {
    let name = UnsafeBufferPointer(
      start: sqlite3_column_text(statement, 1), count: Int(sqlite3_column_bytes(statement, 1)))
    return Item(
      id: Int(sqlite3_column_int64(statement, 0)), name: String(decoding: name, as: UTF8.self),
      number: Int(sqlite3_column_int64(statement, 2)))
  }

  // MARK: Statements

  private func bind(
    _ text: String, to statement: OpaquePointer?, at index: Int32, _ body: () throws -> Void
  ) throws {
    var text = text
    try text.withUTF8 { bytes in
      try bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), nil)
        try body()
      }
    }
  }

  private func step(_ statement: OpaquePointer?) throws {
    let code = sqlite3_step(statement)
    sqlite3_reset(statement)
    try Self.check(code, SQLITE_DONE)
  }

  private static func check(_ code: Int32, _ wanted: Int32 = SQLITE_OK) throws {
    guard code == wanted else { throw BenchmarkError.wrong("SQLite's code is \(code)") }
  }
}
