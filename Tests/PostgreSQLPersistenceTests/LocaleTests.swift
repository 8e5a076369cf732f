#if PostgreSQL
@_spi(Storage) import EntityStore
import Fixtures
@_spi(Storage) import PostgreSQLPersistence
import TestSupport
import Testing

@Suite struct LocaleTests {
  private struct Before: Entity {
    let id: Int
    static let attributes = Attributes(.id(\Before.id))
    static let schema = Schema(attributes, Before.init)
    static var entityName: String { "Label" }
  }

  private struct Label: Entity {
    let id: Int
    var note: String?
    var comment: String?
    static let attributes = Attributes(
      .id(\Label.id), .attribute("note", \.note),
      .attribute("comment", \.comment, renamedFrom: "remark"))
    static let schema = Schema(attributes, Label.init)
  }

  private struct Word: Entity {
    let id: Int
    var text: String
    var other: String?
    static let attributes = Attributes(
      .id(\Word.id), .attribute("text", \.text), .attribute("other", \.other))
    static let schema = Schema(attributes, Word.init, rules: [.index(\.text)])
  }

  // In these locales, a server's own order and case aren't those of bytes.
  @Test(arguments: ["de-DE", "tr-TR"])
  func `S8: texts have the same order and the same matches in a database of any locale`(
    _ locale: String
  ) throws {
    let server = try TestServer(
      settings: ["fsync=off"], environment: ["POSTGRESQL_ICU_LOCALE": locale])
    defer { server.stop() }
    let tool = try Tool(server.connectionString, schema: "public")
    // The database has that locale.
    #expect(tool.run("SELECT 'a' < 'B' COLLATE \"default\"") == ["t"])
    let parts = [
      "a", "B", "ä", "Z", "i", "I", "İ", "ı", "ß", "ss", "-", " ", "é", "e\u{301}", "\u{1F697}",
      "%", "_",
    ]
    var random = SeededGenerator(number: 3)
    func text() -> String {
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }.joined()
    }
    let words = (0..<400).map { Word(id: $0, text: text(), other: $0 % 3 == 0 ? nil : text()) }
    let stores = try [
      Store(.inMemory, entities: [Word.self]),
      Store(.postgreSQL(server.connectionString, durability: .normal), entities: [Word.self]),
    ]
    for store in stores { try store.commit { try $0.insert(contentsOf: words) } }
    func check(_ query: Query<Word>) throws {
      let found = try stores.map { try $0.fetch(query).map(\.id) }
      #expect(found[0] == found[1], "\(query)")
    }
    for _ in 0..<rounds(300) {
      let (a, b) = (text(), text())
      let queries: [Query<Word>] = [
        Query<Word>().filter { $0.text < a },
        Query<Word>().filter { $0.text >= a && $0.text <= b },
        Query<Word>().filter { $0.text == a },
        Query<Word>().filter { $0.text.contains(a) },
        Query<Word>().filter { $0.text.hasPrefix(a) },
        Query<Word>().filter { $0.text.contains(a, ignoring: .case) },
        Query<Word>().filter { $0.other == a },
      ]
      let query = queries.randomElement(using: &random) ?? Query()
      try check(query.sorted { [$0.id.ascending] })
      try check(query.sorted { [$0.text.descending, $0.other.ascending, $0.id.ascending] })
    }
  }

  @Test func `S8: a tool's text that becomes an attribute has the order of its bytes`() throws {
    let place = try ToolPlace()
    let before = try place.open([Before.self])
    try before.commit { try $0.insert(contentsOf: (1...4).map { Before(id: $0) }) }
    for column in ["note", "remark"] {
      #expect(
        place.psql(
          """
          ALTER TABLE "Label" ADD COLUMN \(column) text COLLATE "und-x-icu";
          UPDATE "Label" SET \(column) = (ARRAY['a', 'B', '\u{E4}', 'b'])[id]
          """))
    }
    let store = try place.open([Label.self])
    let byNote = Query<Label>().sorted { [$0.note.ascending] }
    let byComment = Query<Label>().sorted { [$0.comment.ascending] }
    #expect(try store.fetch(byNote).map(\.note) == ["B", "a", "b", "\u{E4}"])
    #expect(try store.fetch(byComment).map(\.comment) == ["B", "a", "b", "\u{E4}"])
    #expect(try store.fetch(byNote.filter { $0.note < "a" }).map(\.id) == [2])
    #expect(try store.max(of: byNote) { $0.note } == "\u{E4}")
    // The table fits its schema now, so it isn't altered again.
    let version = try store.version
    #expect(try place.open([Label.self]).version == version)
  }
}
#endif
