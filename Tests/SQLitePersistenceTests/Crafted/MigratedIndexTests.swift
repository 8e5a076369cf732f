import EntityStore
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `P4, P6: indexes of other programs on tables that a migration changes` {
  private let path = temporaryPath()

  /// A file with a table of no entity's, on which an index stands that may take any time for each
  /// row.
  init() throws {
    try makeLetters(path)
    try edit(
      path,
      "CREATE TABLE Notes (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, note TEXT) STRICT",
      "INSERT INTO Notes VALUES (7, 'Nan', NULL)",
      "CREATE INDEX slow ON Notes(length(hex(zeroblob(id))))")
  }

  private func refused(_ body: @escaping @Sendable (Migration.Context) throws -> Void) throws {
    try fault(.schemaMismatch, naming: [path, "\"slow\"", "ZEROBLOB", "sqlite3 shell"]) {
      _ = try openLetters(path, migrations: [Migration("of notes", body)])
    }
    // Nothing has happened.
    #expect(try RawDatabase(path).rows("SELECT id, name FROM Notes") == [["7", "Nan"]])
    #expect(try openLetters(path).fetch(Query<Letter>()).count == 3)
  }

  @Test func `one that rewrites such a table is refused`() throws {
    try refused { context in
      try context.rewrite("notes") { row in
        Issue.record("\(row) is read")
        return row
      }
    }
  }

  @Test func `one that inserts into such a table is refused`() throws {
    try refused { context in
      var row = try #require(try context.rows(of: "Notes").first)
      row.set("id", to: 8)
      try context.insert(row, into: "Notes")
    }
  }

  @Test func `one that deletes from such a table is refused`() throws {
    try refused { context in try context.delete(from: "Notes") { _ in true } }
  }

  @Test func `one that gives such a table to an entity is refused`() throws {
    try refused { context in
      try context.dropEntity("Letter")
      try context.renameEntity("Notes", to: "Letter")
    }
  }

  @Test func `one that drops such a table is refused`() throws {
    try refused { context in try context.dropEntity("Notes") }
  }

  @Test func `one that reads such a table isn't`() throws {
    let copying = Migration("notes are letters") { context in
      for row in try context.rows(of: "Notes") { try context.insert(row, into: "Letter") }
    }
    let store = try openLetters(path, migrations: [copying])
    #expect(try store.find(Letter.self, 7)?.name == "Nan")
  }

  @Test func `a table WITHOUT ROWID that is given to an entity is refused`() throws {
    try edit(
      path,
      "CREATE TABLE Sheets (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, note TEXT) STRICT, WITHOUT ROWID",
      "INSERT INTO Sheets VALUES (7, 'Nan', NULL)")
    let giving = Migration("sheets are letters") { context in
      try context.dropEntity("Letter")
      try context.renameEntity("Sheets", to: "Letter")
    }
    try fault(.schemaMismatch, naming: [path, "WITHOUT ROWID"]) {
      _ = try openLetters(path, migrations: [giving])
    }
  }
}
