import SQLiteLibrary
@_spi(Storage) import EntityStore
import TestSupport
import Testing

@_spi(Storage) @testable import SQLitePersistence

@Suite struct `Objects to which a table of another program may refer, without an index` {
  private let path = temporaryPath()
  private let storage: SQLiteStorage
  private let store: Store
  private let raw: RawDatabase

  init() throws {
    let storage = try SQLiteStorage(path: path, durability: .normal, watching: .none)
    self.storage = storage
    store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    raw = try RawDatabase(path)
    try store.commit { draft in
      for number in 1...700 {
        try draft.insert(Person(id: "p\(number)", name: "\(number)"))
        try draft.insert(Car(id: number, model: "m\(number)"))
      }
    }
    try raw.rows(
      "CREATE TABLE notes (car INTEGER REFERENCES Car(id), model TEXT REFERENCES car(model), "
        + "person TEXT REFERENCES Person)")
    try raw.rows(
      """
      WITH RECURSIVE list(i) AS (SELECT 1001 UNION ALL SELECT i + 1 FROM list LIMIT 2000)
      INSERT INTO notes SELECT i, 'm' || i, 'p' || i FROM list
      """)
  }

  /// Returns the number of rows through which the store's statements have scanned so far.
  private func scannedRows() -> Int {
    let connection = storage.writer.connection
    var count = 0
    var statement = sqlite3_next_stmt(connection.handle, nil)
    while let one = statement {
      count += Int(sqlite3_stmt_status(one, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0))
      statement = sqlite3_next_stmt(connection.handle, one)
    }
    return count
  }

  @Test(arguments: [2, 7, 600])
  func `S4: are looked up together when they are deleted`(_ count: Int) throws {
    let before = scannedRows()
    try store.commit { draft in
      for number in 1...count {
        try draft.delete(Car.self, number)
        try draft.delete(Person.self, "p\(number)")
      }
    }
    // There are three references to scan for, and at most 512 ids in a list.
    #expect(scannedRows() - before < 3 * 3_000 * (count / 512 + 1))
    #expect(try store.count(Query<Car>()) == 700 - count)
  }

  @Test(arguments: ["car) VALUES (650), (640", "model) VALUES ('m650'), ('m640'"])
  func `S4: are refused by the name of the first one that is deleted`(_ rows: String) throws {
    try raw.rows("INSERT INTO notes (\(rows))")
    for last in [620, 101] {
      try fault(.schemaMismatch, naming: ["Car(650) can't be deleted", "notes, which"]) {
        try store.commit { draft in
          for number in (last...700).reversed() { try draft.delete(Car.self, number) }
        }
      }
    }
    #expect(try store.count(Query<Car>()) == 700)
    try raw.rows("DELETE FROM notes WHERE car = 650 OR model = 'm650'")
    try fault(.schemaMismatch, naming: ["Car(640) can't be deleted", "notes, which"]) {
      try store.commit { draft in _ = try draft.deleteAll(Car.self) }
    }
  }
}
