#if PostgreSQL
import EntityStore
import PostgreSQLPersistence
import Testing

/// An attribute has the name of a column that the server gives each table.
private struct Versioned: Entity {
  let id: Int
  var number: Int
  static let attributes = Attributes(.id(\Versioned.id), .attribute("xmin", \.number))
  static let schema = Schema(attributes, Versioned.init)
}

/// These names differ from the server's by their case.
private struct Shouting: Entity {
  let id: Int
  var number: Int
  var text: String
  static let attributes = Attributes(
    .id(\Shouting.id), .attribute("XMIN", \.number), .attribute("Ctid", \.text))
  static let schema = Schema(attributes, Shouting.init)
}

@Suite struct ServerNameTests {
  @Test func `P6: an attribute with the name of a column that each table has traps`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = try Store(.postgreSQL("host=/nowhere"), entities: [Versioned.self]) }
    let words = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(words.contains("Versioned.xmin is a reserved name; rename the attribute"))
  }

  @Test func `P6: such a name in another case is an attribute like any other`() throws {
    let store = try ToolPlace().open([Shouting.self])
    try store.commit { try $0.insert(Shouting(id: 1, number: 2, text: "here")) }
    try store.commit { try $0.update(Shouting.self, 1) { $0.number = 3 } }
    let found = try store.fetch(Query<Shouting>().filter { $0.number == 3 && $0.text == "here" })
    #expect(found.map(\.id) == [1])
  }
}
#endif
