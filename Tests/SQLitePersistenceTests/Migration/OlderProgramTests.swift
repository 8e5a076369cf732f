import EntityStore
import SQLitePersistence
import TestSupport
import Testing

private struct LoudNote: Entity {
  let id: Int
  var title: String
  static let attributes = Attributes(.id(\LoudNote.id), .attribute("Title", \.title))
  static let schema = Schema(attributes, LoudNote.init)
  static var entityName: String { "Note" }
}

private struct QuietNote: Entity {
  let id: Int
  var title: String
  static let attributes = Attributes(.id(\QuietNote.id), .attribute("title", \.title))
  static let schema = Schema(attributes, QuietNote.init)
  static var entityName: String { "Note" }
}

/// The note of the app, of which an extension knows fewer rules.
private struct IndexedNote: Entity {
  let id: Int
  var title: String
  static let attributes = Attributes(.id(\IndexedNote.id), .attribute("title", \.title))
  static let schema = Schema(attributes, IndexedNote.init, rules: [.index(\.title)])
  static var entityName: String { "Note" }
}

private struct RankedNote: Entity {
  let id: Int
  var title: String
  var rank: Int?
  static let attributes = Attributes(
    .id(\RankedNote.id), .attribute("title", \.title), .attribute("rank", \.rank))
  static let schema = Schema(attributes, RankedNote.init)
  static var entityName: String { "Note" }
}

/// The car of the first release.
private struct SeatedCar: Entity {
  let id: Int
  var seats: Int
  static let attributes = Attributes(
    .id(\SeatedCar.id), .attribute("seats", \.seats, default: 4))
  static let schema = Schema(attributes, SeatedCar.init)
  static var entityName: String { "Car" }
}

private struct BareCar: Entity {
  let id: Int
  static let attributes = Attributes(.id(\BareCar.id))
  static let schema = Schema(attributes, BareCar.init, rules: [.dropped("seats")])
  static var entityName: String { "Car" }
}

@Suite struct `A file that programs with different schemas open by turns` {
  private let path = temporaryPath()

  private func open(_ entity: any Entity.Type, _ migrations: [Migration] = []) throws -> Store {
    try Store(
      .sqlite(path: path, durability: .normal, watching: .none, migrations: migrations),
      entities: [entity])
  }

  @Test func `P4: the older one is refused, also if its table looks the same`() throws {
    _ = try open(LoudNote.self)
    let store = try open(QuietNote.self)
    try refusal(path, [LoudNote.self], .newer, naming: ["table of Note", "update the app"])
    // So it hasn't thrown out the newer one.
    try store.commit { try $0.insert(QuietNote(id: 1, title: "a")) }
    #expect(try store.count(Query<QuietNote>()) == 1)
  }

  @Test func `P4: the newer one can enter again after an older one has changed its new file`()
    throws
  {
    _ = try open(BareCar.self)
    try open(SeatedCar.self).commit { try $0.insert(SeatedCar(id: 1, seats: 2)) }
    try refusal(
      path, [BareCar.self], .newer,
      naming: ["update the app", "an older version has opened the tables since", "add a migration"])
    let marker = Migration("2.0") { _ in }
    #expect(try open(BareCar.self, [marker]).count(Query<BareCar>()) == 1)
    try refusal(path, [SeatedCar.self], .newer)
  }

  @Test func `P4: one with fewer rules leaves the indexes of the other until the table changes`()
    throws
  {
    let app = try open(IndexedNote.self)
    let file = try RawDatabase(path)
    func indexes() throws -> [[String?]] {
      try file.rows("SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'Note'")
    }
    let made: [[String?]] = [["signalbox_index on \"Note\" \"title\""]]
    #expect(try indexes() == made)
    for _ in 0..<2 { try open(QuietNote.self).commit { _ in } }
    #expect(try indexes() == made)
    try app.commit { try $0.insert(IndexedNote(id: 1, title: "a")) }
    // No schema has an index whose name isn't that of its columns.
    try file.rows("CREATE INDEX \"signalbox_index on other\" ON Note (title)")
    _ = try open(QuietNote.self)
    #expect(try indexes() == made)
    _ = try open(RankedNote.self)
    #expect(try indexes().isEmpty)
  }

  @Test func `P4: a migration drops the indexes that the schema doesn't have`() throws {
    _ = try open(IndexedNote.self)
    _ = try open(QuietNote.self, [Migration("no index") { _ in }])
    #expect(
      try RawDatabase(path).rows("SELECT 1 FROM sqlite_master WHERE name LIKE 'signalbox_index%'")
        .isEmpty)
  }

  @Test func `P9: one that only reads needs the list of migrations, and the error says so`()
    async throws
  {
    let marker = Migration("2.0") { _ in }
    let store = try Store(
      .sqlite(path: path, durability: .normal, watching: .none, migrations: [marker]),
      entities: [Person.self, Car.self])
    try store.fill()
    await store.close()
    try fault(.newer, naming: [path, "\"2.0\"", "the list of this program lacks"]) {
      _ = try readGarage(path)
    }
    #expect(try readGarage(path, migrations: [marker]).count(Query<Car>()) == 2)
  }
}
