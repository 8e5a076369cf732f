import TestSupport
import Testing

@_spi(Inspection) @_spi(Storage) @testable import EntityStore
@_spi(Storage) @testable import SQLitePersistence

@Suite struct `An index of words in a backup` {
  private let file = TomeFile()
  private let copy = temporaryPath("copy")

  private func readOnly(_ path: String) throws -> Store {
    try Store(
      .sqlite(path: path, access: .readOnly, watching: .none), entities: [Tome.self, Page.self])
  }

  private func fill(_ store: Store) throws {
    try store.commit { draft in
      try draft.insert(Tome(id: 1, title: "Tea", text: "green"))
      try draft.insert(Tome(id: 2, title: "Coffee", text: nil))
      try draft.insert(Page(id: "a", number: 1, text: "a tea garden"))
      try draft.insert(Page(id: "b", number: 2, text: "milk"))
    }
  }

  private func isIndexed(_ store: Store) throws -> Bool {
    let isOfTomes = try file.isIndexed(Query<Tome>().matching("tea"), in: store)
    let isOfPages = try file.isIndexed(Query<Page>().matching("tea"), in: store)
    #expect(isOfTomes == isOfPages)
    return isOfTomes
  }

  private func expectFound(tomes: [Int], pages: [String], in store: Store) throws {
    #expect(try file.ids("tea", in: store) == tomes)
    #expect(try store.fetch(Query<Page>().matching("tea")).map(\.id) == pages)
  }

  @Test(arguments: [true, false])
  func `a store that only reads uses it, and one that writes keeps it`(
    _ isOfFile: Bool
  ) throws {
    let store =
      try isOfFile ? file.open() : Store(.inMemory, entities: [Tome.self, Page.self])
    try fill(store)
    try store.commit { try $0.delete(Tome.self, 2) }
    try store.backUp(to: copy)
    #expect(!fileExists(copy + "-wal") && !fileExists(copy + "-shm"))
    do {
      let reader = try readOnly(copy)
      #expect(try isIndexed(reader))
      try expectFound(tomes: [1], pages: ["a"], in: reader)
      #expect(try reader.fetch(Query<Tome>().matching("coffee")).isEmpty)
    }
    let writer = try Store(
      .sqlite(path: copy, durability: .normal, watching: .none),
      entities: [Tome.self, Page.self])
    #expect(try isIndexed(writer))
    try writer.commit { draft in
      try draft.update(Page.self, "a") { $0.text = "a garden" }
      try draft.insert(Tome(id: 3, title: "Black tea", text: nil))
    }
    #expect(try isIndexed(writer))
    try expectFound(tomes: [1, 3], pages: [], in: writer)
    let raw = try RawDatabase(copy)
    #expect(try raw.value("PRAGMA integrity_check") == "ok")
  }

  @Test func `one that a tool has left behind stays behind`() throws {
    let store = try file.open()
    try fill(store)
    try RawDatabase(file.path).rows("INSERT INTO Tome VALUES (3, 'Black tea', NULL)")
    try store.backUp(to: copy)
    let reader = try readOnly(copy)
    #expect(try !isIndexed(reader))
    try expectFound(tomes: [1, 3], pages: ["a"], in: reader)
  }

  @Test func `one that was copied as SQL, with other row numbers, is made again`() throws {
    try fill(try file.open())
    let raw = try RawDatabase(file.path)
    let count = try #require(try raw.value("PRAGMA schema_version"))
    let triggers = try raw.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    for trigger in triggers {
      let name = (trigger[0] ?? "").replacing("\"", with: "\"\"")
      try raw.rows("DROP TRIGGER \"\(name)\"")
    }
    // A copy by `.dump` numbers rows from 1 on. Here two exchange their numbers.
    for shift in ["-rowid", "3 + rowid"] { try raw.rows("UPDATE Page SET rowid = \(shift)") }
    try raw.rows("UPDATE signalbox_search SET rowid = (entity = 'Page') + 1")
    for trigger in triggers { try raw.rows(trigger[1] ?? "") }
    // Later changes of the tables can lead to the former count.
    try raw.rows("PRAGMA schema_version = \(count)")
    #expect(try raw.rows("SELECT id FROM Page ORDER BY rowid").map { $0[0] } == ["b", "a"])
    try expectFound(tomes: [1], pages: ["a"], in: file.open())
    #expect(try isIndexed(file.open()))
  }

  @Test func `one that is behind by the tables alone stays behind in a copy of a copy`() throws {
    let store = try file.open()
    try fill(store)
    try store.backUp(to: copy)
    // SQLite counts the tables' changes in each copy from the same number on.
    try RawDatabase(copy).rows("CREATE TABLE extra (x)")
    let second = temporaryPath("copy")
    let reader = try readOnly(copy)
    #expect(try !isIndexed(reader))
    try reader.backUp(to: second)
    #expect(try !isIndexed(readOnly(second)))
    try expectFound(tomes: [1], pages: ["a"], in: readOnly(second))
  }
}
