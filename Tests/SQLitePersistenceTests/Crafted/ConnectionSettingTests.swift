import SQLiteLibrary
import EntityStore
import TestSupport
import Testing

@testable import SQLitePersistence

@Suite struct `P6: every connection treats its file as data from the start` {
  /// What is wrong with how a connection is set.
  private func problems(_ connection: Connection) -> [String] {
    let settings: [(String, Int32, Int32)] = [
      ("defensive", SQLITE_DBCONFIG_DEFENSIVE, 1),
      ("writable schema", SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0),
      ("trusted schema", SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      ("triggers", SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), ("views", SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      ("text in double quotes", SQLITE_DBCONFIG_DQS_DML, 0),
      ("text in double quotes of tables", SQLITE_DBCONFIG_DQS_DDL, 0),
      ("extensions", SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    ]
    var found: [String] = []
    for (name, setting, wanted) in settings
    where sb_sqlite_setting(connection.handle, setting) != wanted { found.append(name) }
    if sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, -1) != 0 { found.append("ATTACH") }
    return found
  }

  private let path = temporaryPath()

  @Test(arguments: [Connection.Access.readWriteCreate, .readWrite, .readOnly])
  func `All ways to open`(_ access: Connection.Access) throws {
    try makeLetters(path)
    #expect(problems(try Connection(path: path, access)) == [])
  }

  @Test func `A second statement, ATTACH, a view and text in double quotes are refused`() throws {
    try makeLetters(path)
    try edit(path, "CREATE VIEW seen AS SELECT 1", "CREATE VIRTUAL TABLE texts USING fts5(x)")
    let connection = try Connection(path: path, .readWrite)
    let other = temporaryPath()
    for sql in [
      "SELECT 1; SELECT 2", "SELECT 1; ", "", "SELECT 1\0", "ATTACH '\(other)' AS v",
      "SELECT * FROM seen", "SELECT \"nothing\"", "SELECT * FROM texts",
      "UPDATE sqlite_master SET sql = ''", "SELECT load_extension('x')", "VACUUM INTO '\(other)'",
    ] {
      let error = #expect(throws: StoreError.self, "\(sql)") { try connection.execute(sql) }
      _ = error
    }
    for sql in ["SELECT 1; SELECT 2", "SELECT 1\0"] {
      #expect(throws: StoreError.self) { _ = try connection.statement(sql) }
      #expect(throws: StoreError.self) { _ = try connection.query(sql) }
    }
  }

  @Test(arguments: [
    "DROP TABLE Letter", "CREATE TABLE extra (x)", "ATTACH 'x' AS v", "DELETE FROM Letter",
    "PRAGMA writable_schema = ON", "INSERT INTO Letter SELECT * FROM Letter",
    "CREATE VIEW extra AS SELECT 1",
    "CREATE TEMP TRIGGER t AFTER DELETE ON Letter BEGIN SELECT 1; END",
  ])
  func `The text of an index or trigger that is put back can be nothing else`(_ sql: String) throws
  {
    try makeLetters(path)
    let connection = try Connection(path: path, .readWrite)
    #expect(throws: StoreError.self) { try connection.executeObject(sql) }
    try connection.executeObject("CREATE INDEX extra ON Letter(name, hex(note)) WHERE id > 1")
    try connection.executeObject(
      "CREATE TRIGGER other AFTER DELETE ON Letter BEGIN SELECT 1; DELETE FROM Letter; END")
    #expect(problems(connection) == [])
  }

  @Test func `A copy by VACUUM and a rename leave a connection as it was`() throws {
    try makeLetters(path)
    let connection = try Connection(path: path, .readWrite)
    try connection.vacuum(into: path + ".copy")
    try connection.executeRename("ALTER TABLE Letter RENAME TO Other")
    #expect(throws: StoreError.self) {
      try connection.executeRename("ALTER TABLE Nothing RENAME TO x")
    }
    #expect(throws: StoreError.self) { try connection.vacuum(into: path + ".copy") }
    #expect(problems(connection) == [])
  }

  @Test func `Words are those outside of quotes and comments`() {
    let sql = "create /* ; */ TABLE \"a\"\"; CHECK\" ('x''; COLLATE', [;], `;`) -- ;\n Strict"
    #expect(
      SQLWords(sql).words == [
        "CREATE", "TABLE", "\"", "(", "\"", ",", "\"", ",", "\"", ")", "STRICT",
      ])
    #expect(Array(SQLWords(sql).tail) == ["STRICT"])
    for text in ["'", "\"", "[", "/*", "--", "/", "-", "a'", "'a''"] { _ = SQLWords(text) }
  }
}
