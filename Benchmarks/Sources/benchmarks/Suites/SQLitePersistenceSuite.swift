import CSQLiteBaseline
import EntityStore
import SQLitePersistence

extension BenchmarkSuite {
  /// Many objects in one commit into a new file, against the C API with a prepared statement.
  static let sqlitePersistence = BenchmarkSuite {
    for count in [1000, 100_000] {
      Benchmark(
        "SQLitePersistence/insert-bulk/\(count)", aim: 1.3,
        measured: .timed {
          let folder = try TemporaryFolder()
          let items = Item.many(count)
          return { stopwatch in
            let store = try Store(
              .sqlite(path: folder.freshPath(), durability: .normal), entities: [Item.self])
            try stopwatch.measure(operations: count) {
              try store.commit { draft in for item in items { try draft.insert(item) } }
            }
          }
        },
        baseline: .timed("the C API") {
          let folder = try TemporaryFolder()
          let items = Item.many(count)
          return { stopwatch in
            let database = try RawDatabase(path: folder.freshPath())
            try stopwatch.measure(operations: count) { try database.insert(items) }
          }
        })
    }
  }
}

/// The least that SQLite asks for: the same table, one prepared statement, one transaction.
private final class RawDatabase {
  private var handle: OpaquePointer?
  private var insertion: OpaquePointer?

  init(path: String) throws {
    try check(sqlite3_open(path, &handle))
    try run("PRAGMA journal_mode = WAL")
    try run("PRAGMA synchronous = NORMAL")
    try run(
      "CREATE TABLE Item (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, "
        + "number INTEGER NOT NULL) STRICT")
    try run("CREATE TABLE log (version INTEGER PRIMARY KEY NOT NULL, changes BLOB) STRICT")
    try check(
      sqlite3_prepare_v2(handle, "INSERT INTO Item VALUES (?, ?, ?)", -1, &insertion, nil))
  }

  deinit {
    sqlite3_finalize(insertion)
    sqlite3_close(handle)
  }

  func insert(_ items: [Item]) throws {
    try run("BEGIN IMMEDIATE")
    for item in items {
      sqlite3_bind_int64(insertion, 1, Int64(item.id))
      var name = item.name
      try name.withUTF8 { bytes in
        try bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text(insertion, 2, $0.baseAddress, Int32($0.count), nil)
          sqlite3_bind_int64(insertion, 3, Int64(item.number))
          try check(sqlite3_step(insertion), SQLITE_DONE)
        }
      }
      sqlite3_reset(insertion)
    }
    try run("INSERT INTO log (version) VALUES (1)")
    try run("COMMIT")
  }

  private func run(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  private func check(_ code: Int32, _ wanted: Int32 = SQLITE_OK) throws {
    guard code == wanted else { throw BenchmarkError.wrong("SQLite's code is \(code)") }
  }
}
