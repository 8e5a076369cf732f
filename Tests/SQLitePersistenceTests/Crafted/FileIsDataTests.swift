import EntityStore
import FetchedObjects
import Foundation
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `P6: a file is data, never a program` {
  private let path = temporaryPath()

  private let looseName =
    "UPDATE sqlite_master SET sql = replace(sql, '\"name\" TEXT NOT NULL', '\"name\" TEXT') "
    + "WHERE name = 'Letter'"

  @Test(arguments: ["index", "trigger"])
  func `What stands behind the first statement of an index's or trigger's text never runs`(
    _ kind: String
  ) throws {
    try makeLetters(path)
    let stolen = path + ".stolen"
    let file = try RawDatabase(path)
    try file.rows(
      kind == "index"
        ? "CREATE INDEX extra ON Letter(name)"
        : "CREATE TRIGGER extra AFTER DELETE ON Letter BEGIN SELECT 1; END")
    try editSchema(
      path,
      [
        looseName,
        "UPDATE sqlite_master SET sql = sql || '; ATTACH ''\(stolen)'' AS v; CREATE TABLE v.t(x); "
          + "INSERT INTO v.t SELECT name FROM Letter' WHERE name = 'extra'",
      ])
    _ = try? openLetters(path)
    #expect(!FileManager.default.fileExists(atPath: stolen))
  }

  @Test(arguments: [
    "CREATE VIRTUAL TABLE Letter USING fts5(id, name, note)",
    "CREATE VIRTUAL TABLE Letter USING rtree(id, name, note)",
    "CREATE VIEW Letter AS SELECT 1 AS id, 'Ann' AS name, NULL AS note",
    "CREATE TABLE Letter (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, note TEXT) WITHOUT ROWID",
    "CREATE TABLE Letter (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, note TEXT AS (upper(name)))",
  ])
  func `P4: what is no plain table is refused in an entity's place`(_ sql: String) throws {
    try makeLetters(path)
    do {
      let file = try RawDatabase(path)
      try file.rows("DROP TABLE Letter")
      try file.rows(sql)
    }
    try fault(.schemaMismatch, naming: [path, "Letter", "sqlite3 shell"]) {
      _ = try openLetters(path)
    }
  }

  @Test(arguments: [
    "ALTER TABLE Letter RENAME COLUMN note TO remark",
    "ALTER TABLE Letter RENAME COLUMN id TO number",
    "ALTER TABLE Letter DROP COLUMN note", "ALTER TABLE Letter RENAME TO Notes",
    "DROP TABLE Letter",
    "DROP TABLE signalbox_log", "DROP TABLE signalbox_schemas",
  ])
  func `P3: a table that a tool changes while the store is open is a mismatch that says what to do`(
    _ sql: String
  ) throws {
    try makeLetters(path)
    let store = try openLetters(path)
    #expect(try store.find(Letter.self, 1)?.note == "secret")
    let file = try RawDatabase(path)
    let objects = try file.rows(
      "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'index') AND sql IS NOT NULL")
    for object in objects {
      let name = (object[1] ?? "").replacingOccurrences(of: "\"", with: "\"\"")
      try file.rows("DROP \(object[0] ?? "") \"\(name)\"")
    }
    try file.rows(sql)
    let isLog = sql.contains("signalbox_log")
    let kind = isLog ? StorageFault.Kind.corrupt : .schemaMismatch
    let words = [path, isLog ? "put back a copy" : "open"]
    try fault(kind, naming: words) { _ = try store.find(Letter.self, 1) }
    try fault(kind, naming: words) { _ = try store.read { try $0.find(Letter.self, 1) } }
    try fault(kind, naming: words) { _ = try store.fetch(Query<Letter>()) }
    try fault(kind, naming: words) { try store.commit { try $0.delete(Letter.self, 1) } }
  }

  @Test func `P3, P5: a table that a tool makes again while the store is open is a mismatch`()
    throws
  {
    try makeLetters(path)
    let store = try openLetters(path)
    let file = try RawDatabase(path)
    let text = try file.value("SELECT sql FROM sqlite_master WHERE name = 'Letter'") ?? ""
    try file.rows(text.replacingOccurrences(of: "\"Letter\"", with: "\"Made\""))
    try file.rows("INSERT INTO Made SELECT id, name || '!', note FROM Letter")
    try file.rows("PRAGMA foreign_keys = OFF")
    try file.rows("DROP TABLE Letter")
    try file.rows("ALTER TABLE Made RENAME TO Letter")
    let words = [path, "Letter", "open it again"]
    try fault(.schemaMismatch, naming: words) { _ = try store.find(Letter.self, 1) }
    try fault(.schemaMismatch, naming: words) { try store.commit { try $0.delete(Letter.self, 1) } }
    #expect(try openLetters(path).find(Letter.self, 1)?.name.hasSuffix("!") == true)
  }

  @Test
  func `S8, P3: a file whose texts are UTF-16 is refused, since they have another order there`()
    throws
  {
    let plain = temporaryPath()
    try makeLetters(plain)
    let from = try RawDatabase(plain)
    let file = try RawDatabase(path)
    try file.rows("PRAGMA encoding = 'UTF-16le'")
    try file.rows("PRAGMA application_id = \(try from.value("PRAGMA application_id") ?? "")")
    let objects = try from.rows(
      "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type <> 'table'")
    for object in objects {
      let (kind, name, sql) = (object[0] ?? "", object[1] ?? "", object[2] ?? "")
      try file.rows(sql)
      if kind != "table" { continue }
      let values = try from.rows("SELECT name FROM pragma_table_info('\(name)')")
        .map { "quote(\"\($0[0] ?? "")\")" }.joined(separator: " || ', ' || ")
      for row in try from.rows("SELECT \(values) FROM \"\(name)\"") {
        try file.rows("INSERT INTO \"\(name)\" VALUES (\(row[0] ?? ""))")
      }
    }
    try file.rows("DELETE FROM signalbox_log WHERE version > 1")
    try fault(.schemaMismatch, naming: [path, "UTF-16le", "UTF-8"]) { _ = try openLetters(path) }
  }

  @Test func `S8, P3: a file for texts in UTF-16 is refused before it has a table`() throws {
    let file = try RawDatabase(path)
    for sql in ["PRAGMA encoding = 'UTF-16le'", "CREATE TABLE t (a)", "DROP TABLE t"] {
      try file.rows(sql)
    }
    try fault(.schemaMismatch, naming: [path, "UTF-16le", "UTF-8"]) { _ = try openLetters(path) }
    #expect(try file.value("SELECT count(*) FROM sqlite_master") == "0")
  }

  @Test func `P3: a view that takes a table's place while the store is open is refused`() throws {
    try makeLetters(path)
    let store = try openLetters(path)
    let file = try RawDatabase(path)
    try file.rows("ALTER TABLE Letter RENAME TO Hidden")
    try file.rows("CREATE VIEW Letter AS SELECT 1 AS id, 'forged' AS name, NULL AS note")
    try fault(.schemaMismatch, naming: ["Letter"]) { _ = try store.find(Letter.self, 1) }
    try fault(.schemaMismatch, naming: ["Letter"]) { _ = try store.fetch(Query<Letter>()) }
    try fault(.schemaMismatch) { try store.commit { try $0.delete(Letter.self, 1) } }
  }

  @Test(.oneThread, arguments: [Int64.max, .max - 1, 1 << 62 + 1, -1, .min])
  func `P3: a version that none can be is damage, on opening and while open`(_ version: Int64)
    async throws
  {
    await #expect(processExitsWith: .success) { [version = version as Int64] in
      let path = temporaryPath()
      try makeLetters(path)
      let store = try openLetters(path)
      do {
        let file = try RawDatabase(path)
        if version < 0 { try file.rows("DELETE FROM signalbox_log") }
        try file.rows("INSERT INTO signalbox_log (version) VALUES (\(version))")
      }
      try fault(.corrupt, naming: [path, "\(version)"]) {
        try store.commit { try $0.insert(Letter(id: 3, name: "", note: nil)) }
      }
      try fault(.corrupt, naming: [path, "\(version)"]) { _ = try openLetters(path) }
    }
  }

  @Test func `P4: copying rows ends where an index has more of them than the table`() async throws {
    await #expect(processExitsWith: .success) {
      let path = temporaryPath()
      try makeLetters(path)
      do {
        let file = try RawDatabase(path)
        try file.rows("INSERT INTO Letter VALUES (-1, 'c', NULL), (-2, 'd', NULL), (-3, 'e', NULL)")
        try file.rows("CREATE INDEX extra ON Letter(id)")
        try file.rows("CREATE TABLE copy AS SELECT * FROM Letter")
      }
      // The table's own pages are those of a shorter table, the index has all entries.
      try editSchema(
        path,
        [
          "CREATE TABLE short (id INTEGER PRIMARY KEY NOT NULL, name TEXT, note TEXT)",
          "INSERT INTO short VALUES (-1, 'c', NULL)",
          "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'short'), "
            + "sql = replace(sql, '\"name\" TEXT NOT NULL', '\"name\" TEXT') WHERE name = 'Letter'",
          "DELETE FROM sqlite_master WHERE name = 'short'",
        ])
      alarm(1200)
      _ = try? openLetters(path)
    }
  }

  @Test(arguments: [
    "(\"note\" COLLATE NOCASE)", "(\"note\" DESC)", "(\"note\") WHERE \"note\" > 'm'",
    "(upper(\"note\"))",
  ])
  func `P4: an index by the name of one of ours that isn't as we make it is made again`(
    _ columns: String
  ) throws {
    try makeLetters(path)
    let file = try RawDatabase(path)
    let texts =
      "SELECT name, sql FROM sqlite_master WHERE name LIKE 'signalbox_index on \"Letter\"%'"
    let made = try #require(try file.rows(texts).first)
    let name = "\"" + (made[0] ?? "").replacingOccurrences(of: "\"", with: "\"\"") + "\""
    try file.rows("DROP INDEX \(name)")
    try file.rows("CREATE INDEX \(name) ON Letter \(columns)")
    let store = try openLetters(path)
    #expect(try file.rows(texts) == [made])
    #expect(try store.fetch(Query<Letter>().filter { $0.note == "c" }).map(\.id) == [3])
  }
}
