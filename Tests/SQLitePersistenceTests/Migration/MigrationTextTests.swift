import EntityStore
import SQLitePersistence
import TestSupport
import Testing

private let composed = "caf\u{E9}"
private let decomposed = "cafe\u{301}"

private struct Composed: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\Composed.id), .attribute(composed, \.name))
  static let schema = Schema(attributes, Composed.init)
  static var entityName: String { "Place" }
}

private struct Decomposed: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(
    .id(\Decomposed.id), .attribute(decomposed, \.name, renamedFrom: composed))
  static let schema = Schema(attributes, Decomposed.init)
  static var entityName: String { "Place" }
}

@Suite struct `Names in a migration are compared by their bytes` {
  private let path = temporaryPath()

  private func fill() throws {
    try Store(.sqlite(path: path), entities: [Composed.self]).commit { draft in
      for id in 1...2 { try draft.insert(Composed(id: id, name: "\(id)")) }
    }
  }

  @Test func `S8: two columns that Swift holds to be one`() throws {
    try fill()
    let store = try Store(
      .sqlite(
        path: path,
        migrations: [
          Migration("both") { context in
            try context.rewrite("Place") { old in
              let value = old[composed]
              return old["id"] == .integer(1)
                ? ["id": .integer(1), decomposed: value] : ["id": .integer(2), composed: value]
            }
            let rows = try context.rows(of: "Place")
            #expect(rows.map { $0[decomposed] } == [.text("1"), .null])
            #expect(rows.map { $0[composed] } == [.null, .text("2")])
            try context.rewrite("Place") { old in
              [
                "id": old["id"],
                decomposed: old[decomposed].isNull ? old[composed] : old[decomposed],
              ]
            }
          }
        ]), entities: [Decomposed.self])
    #expect(try store.fetch(Query<Decomposed>()).map(\.name) == ["1", "2"])
  }

  @Test func `S8: rows that Swift holds to be equal`() {
    #expect(([composed: .integer(1)] as Migration.Row) != [decomposed: .integer(1)])
    #expect(([composed: .integer(1)] as Migration.Row) == [composed: .integer(1)])
  }

  @Test func `S8: an attribute is renamed to one that Swift holds to be the same`() throws {
    try fill()
    for _ in 0..<2 {
      let store = try Store(.sqlite(path: path), entities: [Decomposed.self])
      #expect(try store.fetch(Query<Decomposed>()).map(\.name) == ["1", "2"])
    }
  }

  @Test func `S8: two migrations that Swift holds to have one name`() throws {
    try fill()
    _ = try Store(
      .sqlite(path: path, migrations: [Migration(composed) { _ in }]), entities: [Composed.self])
    try refusal(
      path, [Composed.self], migrations: [Migration(decomposed) { _ in }], .newer,
      naming: ["put that migration back"])
    let store = try Store(
      .sqlite(
        path: path, migrations: [Migration(composed) { _ in }, Migration(decomposed) { _ in }]),
      entities: [Composed.self])
    #expect(try store.count(Query<Composed>()) == 2)
    #expect(try RawDatabase(path).value("SELECT count(*) FROM signalbox_migrations") == "2")
  }
}
