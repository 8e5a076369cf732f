import CSQLiteBaseline
import EntityStore
import SQLitePersistence

/// A file of Signalbox's with so many items, which goes with the value.
struct FileOfItems {
  let count: Int
  let path: String
  private let folder: TemporaryFolder

  /// Makes the file.
  ///
  /// The rows are written by SQL alone: a million take a second.
  init(_ count: Int) throws {
    folder = try TemporaryFolder()
    path = folder.freshPath()
    self.count = count
    _ = try store()
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    try Self.check(sqlite3_open(path, &handle))
    let triggers = try Self.rows(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'", handle)
    try Self.run("BEGIN", handle)
    // What is written here is no commit, and nobody is to be told of it.
    for trigger in triggers {
      // Their names have quotes.
      let name = trigger[0].split(separator: "\"", omittingEmptySubsequences: false)
      try Self.run("DROP TRIGGER \"\(name.joined(separator: "\"\""))\"", handle)
    }
    var insertion: OpaquePointer?
    defer { sqlite3_finalize(insertion) }
    try Self.check(
      sqlite3_prepare_v2(
        handle, "INSERT INTO Item (id, name, number) VALUES (?, ?, ?)", -1, &insertion, nil))
    for id in 0..<count {
      sqlite3_bind_int64(insertion, 1, Int64(id))
      var name = Item.name(id)
      try name.withUTF8 { bytes in
        try bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text(insertion, 2, $0.baseAddress, Int32($0.count), nil)
          sqlite3_bind_int64(insertion, 3, Int64(id))
          try Self.check(sqlite3_step(insertion), SQLITE_DONE)
        }
      }
      sqlite3_reset(insertion)
    }
    for trigger in triggers { try Self.run(trigger[1], handle) }
    try Self.run("COMMIT", handle)
    try Self.run("PRAGMA wal_checkpoint(TRUNCATE)", handle)
  }

  /// A store of the file.
  func store(
    _ durability: Durability = .normal, watching: StorageKind.FileWatching = .automatic
  ) throws -> Store {
    try Store(
      .sqlite(path: path, durability: durability, watching: watching), entities: [Item.self])
  }

  /// Runs SQL as another program does.
  func write(_ sql: String) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    try Self.check(sqlite3_open(path, &handle))
    try Self.run(sql, handle)
  }

  /// What Signalbox's log keeps of the last commit that `body` makes.
  ///
  /// The file is left as `body` leaves it.
  func payload(_ body: (Store) throws -> Void) throws -> [UInt8]? {
    try body(store())
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    try Self.check(sqlite3_open(path, &handle))
    let found = try Self.rows(
      "SELECT COALESCE(length(changes), -1) FROM signalbox_log ORDER BY version DESC LIMIT 1",
      handle)
    guard let text = found.first?[0], let length = Int(text) else {
      throw BenchmarkError.wrong("the log has no row")
    }
    return length < 0 ? nil : [UInt8](repeating: 0xA5, count: length)
  }

  private static func run(_ sql: String, _ handle: OpaquePointer?) throws {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  private static func rows(_ sql: String, _ handle: OpaquePointer?) throws -> [[String]] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
    var rows: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        })
    }
    return rows
  }

  private static func check(_ code: Int32, _ wanted: Int32 = SQLITE_OK) throws {
    guard code == wanted else { throw BenchmarkError.wrong("SQLite's code is \(code)") }
  }
}
