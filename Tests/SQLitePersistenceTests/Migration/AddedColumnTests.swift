import EntityStore
import FoundationSupport
import Locking
import SQLitePersistence
import TestSupport
import Testing

private struct Shop: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Shop.id))
  static let schema = Schema(attributes, Shop.init)
}

private struct Spot: Entity {
  struct ID: CompositeID {
    var row: String
    var place: Int
  }

  let id: ID
  static let attributes = Attributes(
    .id(\Spot.id, ID.init, .part("row", \.row), .part("place", \.place)))
  static let schema = Schema(attributes, Spot.init)
}

private struct OldBike: Entity {
  let id: Int
  static let attributes = Attributes(.id(\OldBike.id))
  static let schema = Schema(attributes, OldBike.init)
  static var entityName: String { "The \"bike\"" }
}

private struct Bike: Entity {
  let id: Int
  var gears: Int
  var weight: Double
  var limit: Double
  var name: String
  var code: [UInt8]
  var note: String?
  var rank: Int8?
  var shop: Ref<Shop>?
  var wish: Ref<Shop>?
  var spot: Ref<Spot>?
  static let attributes = Attributes(
    .id(\Bike.id), .attribute("gears", \.gears, default: -21),
    .attribute("weight", \.weight, default: 12), .attribute("limit", \.limit, default: .infinity),
    .attribute("name", \.name, default: "it's \"new\""),
    .attribute("code", \.code, default: [0, 255] as [UInt8]), .attribute("note", \.note),
    .attribute("rank", \.rank, default: 3), .one("shop", \.shop),
    .one("wish", \.wish, lateBound: true), .one("spot", \.spot))
  static let schema = Schema(attributes, Bike.init)
  static var entityName: String { OldBike.entityName }
}

private struct Required: Entity {
  let id: Int
  var gears: Int
  var weight: Int
  static let attributes = Attributes(
    .id(\Required.id), .attribute("gears", \.gears, default: 3), .attribute("weight", \.weight))
  static let schema = Schema(attributes, Required.init)
  static var entityName: String { OldBike.entityName }
}

// Digits that SQLite reads as another number. (The compiler does, too: it reads them as a longer one first.)
private let weight = Double("6992.628914429622") ?? 0
private let ratio = Double("1617836871.442644") ?? 0

private struct Weighed: Entity {
  let id: Int
  var weight: Double
  var ratio: Double?
  static let attributes = Attributes(
    .id(\Weighed.id),
    .attribute("weight", \.weight, default: SQLitePersistenceTests.weight),
    .attribute("ratio", \.ratio, default: SQLitePersistenceTests.ratio))
  static let schema = Schema(attributes, Weighed.init)
  static var entityName: String { OldBike.entityName }
}

@Suite struct `A file that lacks a column` {
  private func makeFile() throws -> String {
    let path = temporaryPath()
    let store = try Store(.sqlite(path: path), entities: [OldBike.self])
    try store.commit { try $0.insert(OldBike(id: 1)) }
    return path
  }

  @Test func `P4: gets it when it is opened, with the default in each row`() throws {
    let path = try makeFile()
    let store = try Store(.sqlite(path: path), entities: [Bike.self, Shop.self, Spot.self])
    let bike = try #require(try store.find(Bike.self, 1))
    #expect(bike.gears == -21 && bike.weight == 12 && bike.limit == .infinity)
    #expect(bike.name == "it's \"new\"" && bike.code == [0, 255] && bike.note == nil)
    #expect(bike.rank == 3 && bike.shop == nil && bike.wish == nil && bike.spot == nil)
    let file = try RawDatabase(path)
    #expect(
      try file.rows(
        "SELECT DISTINCT \"table\" FROM pragma_foreign_key_list('The \"bike\"') ORDER BY 1")
        == [["Shop"], ["Spot"]])
    #expect(try store.version == 2)
    try store.commit { draft in
      try draft.insert(Shop(id: 1))
      try draft.update(Bike.self, 1) { $0.shop = Ref(1) }
    }
    #expect(!hasCopy(path))
  }

  @Test func `P4: gets the column alone where SQLite can add one, and the table stays`() throws {
    struct Geared: Entity {
      let id: Int
      var gears: Int
      var shop: Ref<Shop>?
      static let attributes = Attributes(
        .id(\Geared.id), .attribute("gears", \.gears, default: -21), .one("shop", \.shop))
      static let schema = Schema(attributes, Geared.init)
      static var entityName: String { OldBike.entityName }
    }
    let path = try makeFile()
    let file = try RawDatabase(path)
    let sql = "SELECT rootpage FROM sqlite_master WHERE name = 'The \"bike\"'"
    let page = try file.value(sql)
    let store = try Store(.sqlite(path: path), entities: [Geared.self, Shop.self])
    #expect(try store.find(Geared.self, 1)?.gears == -21)
    #expect(try file.value(sql) == page)
    #expect(
      try file.rows("SELECT \"table\" FROM pragma_foreign_key_list('The \"bike\"')") == [["Shop"]])
    #expect(try file.rows("PRAGMA foreign_key_check").isEmpty)
  }

  @Test func `P4: is refused where rows would have no value, with what is missing named`() throws {
    try refusal(
      try makeFile(), [Required.self],
      naming: ["has no column \"weight\"", "give the attribute a default, make it optional"])
  }

  @Test func `P4 S8: the default of a number with a fraction is itself, to the last bit`() throws {
    let path = try makeFile()
    let store = try Store(.sqlite(path: path), entities: [Weighed.self])
    let found = try store.find(Weighed.self, 1)
    #expect(found?.weight == weight && found?.ratio == ratio)
    #expect(try store.count(Query<Weighed>().filter { $0.weight == weight }) == 1)
    #expect(try store.count(Query<Weighed>().filter { $0.ratio == ratio }) == 1)
  }

  @Test func `P3, P4: is copied before its rows get digits that SQLite reads as another number`()
    throws
  {
    let path = try makeFile()
    // Some versions of SQLite read them as they are. The quotient of two whole numbers is exact.
    let quotient = "CAST(\(Int(weight / weight.ulp)) AS REAL) / \(Int(1 / weight.ulp))"
    let isMisread = try RawDatabase(path).value("SELECT \(weight) <> \(quotient)") == "1"
    let copies = Locked<[Bool]>([])
    let store = try Store(
      .sqlite(
        path: path,
        progress: { _ in
          let isThere = hasCopy(path)
          copies.withLock { $0.append(isThere) }
        }), entities: [Weighed.self])
    // One column is added after the other.
    #expect(copies.withLock { $0 } == [false, isMisread])
    #expect(try store.find(Weighed.self, 1)?.weight == weight)
    #expect(!hasCopy(path))
  }
}
