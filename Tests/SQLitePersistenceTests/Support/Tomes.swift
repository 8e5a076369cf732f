import TestSupport
import Testing

@_spi(Inspection) @_spi(Storage) @testable import EntityStore
@_spi(Storage) @testable import SQLitePersistence

/// An entity whose row numbers are its ids.
struct Tome: Entity {
  let id: Int
  var title: String
  var text: String?

  static let attributes = Attributes(
    .id(\Tome.id), .attribute("title", \.title), .attribute("text", \.text))
  static let schema = Schema(attributes, Tome.init, rules: [.fullText(\.title, \.text)])
}

/// An entity whose row numbers are SQLite's own, and may change.
struct Page: Entity {
  let id: String
  var number: Int
  var text: String

  static let attributes = Attributes(
    .id(\Page.id), .attribute("number", \.number), .attribute("text", \.text))
  static let schema = Schema(
    attributes, Page.init, rules: [.unique(\.number), .fullText(\.text)])
}

/// A file of tomes and pages.
struct TomeFile {
  let path = temporaryPath("words")

  func open(_ entities: any Entity.Type...) throws -> Store {
    try Store(
      .sqlite(path: path, durability: .normal, watching: .none),
      entities: entities.isEmpty ? [Tome.self, Page.self] : entities)
  }

  /// Returns true if a query is answered by the index.
  func isIndexed<Root>(_ query: Query<Root>, in store: Store) throws -> Bool {
    let plan = try query.plan(in: store)
    expectTrue(plan.isWhollySaid, "SQL says it with the index or without")
    return plan.statement.contains("MATCH")
  }

  /// Returns the ids of the tomes that match.
  func ids(_ pattern: SearchPattern, in store: Store) throws -> [Int] {
    try store.fetch(Query<Tome>().matching(pattern)).map(\.id)
  }
}
