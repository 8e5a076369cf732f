import EntityStore
import SQLitePersistence
import TestSupport
import Testing

private struct Round: Entity {
  let id: String
  var player: String
  var points: Int
  var bonus: Int?
  static let attributes = Attributes(
    .id(\Round.id), .attribute("player", \.player), .attribute("points", \.points),
    .attribute("bonus", \.bonus))
  static let schema = Schema(attributes, Round.init)
}

@Suite struct `A field is read from a file without its objects` {
  private let path = temporaryPath()

  private func open() throws -> Store {
    try Store(.sqlite(path: path, durability: .normal, watching: .none), entities: [Round.self])
  }

  /// Makes a table that takes values of any type, with three rounds, and returns a store of it.
  private func prepare(then sql: String...) throws -> Store {
    do { _ = try open() }
    try editSchema(
      path, ["UPDATE sqlite_master SET sql = replace(sql, 'STRICT', '') WHERE name = 'Round'"])
    try open().commit { draft in
      for (id, bonus) in [("a", nil), ("b", 2), ("c", 4)] as [(String, Int?)] {
        try draft.insert(Round(id: id, player: "Ann", points: 10, bonus: bonus))
      }
    }
    for statement in sql { try edit(path, statement) }
    return try open()
  }

  @Test func `S7: an object counts if only its other attributes can't be read`() throws {
    let store = try prepare(then: "UPDATE Round SET player = x'ff' WHERE id = 'b'")
    let all = Query<Round>()
    #expect(throws: StoreError.self) { _ = try store.fetch(all) }
    #expect(try store.sum(of: all) { $0.points } == 30)
    #expect(try store.sum(of: all) { $0.points + 1 } == 33)
    #expect(try store.average(of: all) { $0.bonus } == 3)
    #expect(try store.max(of: all) { $0.id } == "c")
    #expect(try store.counts(of: all) { $0.bonus }.map(\.value) == [nil, 2, 4])
    let best = all.sorted { [$0.points.descending, $0.id.descending] }
    #expect(try store.sum(of: best.limit(1)) { $0.bonus } == 4)
    #expect(try store.sum(of: best.limit(1, offset: 1)) { $0.bonus } == 2)
    #expect(try store.sum(of: best.last(2)) { $0.bonus } == 2)
    #expect(try store.sum(of: all.filter { $0.bonus > 2 }) { $0.points } == 10)
  }

  @Test(arguments: ["x", "2.5"])
  func `S6, S7: a value of another type is an error that names its object`(_ value: String) throws {
    let store = try prepare(then: "UPDATE Round SET points = '\(value)' WHERE id = 'b'")
    // A column of whole numbers makes a number of a text that is one.
    let found: StoredValue = value == "x" ? .text("x") : .real(2.5)
    let expected = StoreError.unreadable(
      ObjectID(entityName: "Round", id: .text("b")), attribute: "points", found: found)
    let all = Query<Round>()
    #expect(throws: expected) { _ = try store.sum(of: all) { $0.points } }
    #expect(throws: expected) { _ = try store.sum(of: all) { $0.points + 1 } }
    #expect(throws: expected) { _ = try store.min(of: all) { $0.points } }
    #expect(throws: expected) { _ = try store.counts(of: all) { $0.points > 3 } }
    #expect(try store.sum(of: all) { $0.bonus } == 6)
    #expect(try store.sum(of: all.filter { $0.id != "b" }) { $0.points } == 20)
  }
}
