import EntityStore
import FoundationSupport
import SQLitePersistence
import TestSupport
import Testing

private struct Shop: Entity {
  let id: Int
  static let schema = Schema(Shop.init, .id(\.id))
}

private struct Spot: Entity {
  struct ID: CompositeID {
    var row: String
    var place: Int
  }

  let id: ID
  static let schema = Schema(
    Spot.init, .id(\.id, ID.init, .part("row", \.row), .part("place", \.place)))
}

private struct OldBike: Entity {
  let id: Int
  static let schema = Schema(OldBike.init, .id(\.id))
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
  static let schema = Schema(
    Bike.init, .id(\.id), .attribute("gears", \.gears, default: -21),
    .attribute("weight", \.weight, default: 12), .attribute("limit", \.limit, default: .infinity),
    .attribute("name", \.name, default: "it's \"new\""),
    .attribute("code", \.code, default: [0, 255] as [UInt8]), .attribute("note", \.note),
    .attribute("rank", \.rank, default: 3), .one("shop", \.shop),
    .one("wish", \.wish, lateBound: true), .one("spot", \.spot))
  static var entityName: String { OldBike.entityName }
}

private struct Required: Entity {
  let id: Int
  var gears: Int
  var weight: Int
  static let schema = Schema(
    Required.init, .id(\.id), .attribute("gears", \.gears, default: 3),
    .attribute("weight", \.weight))
  static var entityName: String { OldBike.entityName }
}

@Suite struct `A file that lacks a column` {
  private func refusal(_ path: String, _ entities: [any Entity.Type]) throws -> String {
    do {
      _ = try Store(.sqlite(path: path), entities: entities)
    } catch StoreError.storage(let fault) {
      #expect(fault.kind == .schemaMismatch)
      return fault.message
    }
    Issue.record("The file is opened")
    return ""
  }

  private func makeFile() throws -> String {
    let path = temporaryPath()
    let store = try Store(.sqlite(path: path), entities: [OldBike.self])
    try store.commit { try $0.insert(OldBike(id: 1)) }
    return path
  }

  @Test func `P3 P4: is opened once the statements that its refusal names have run`() throws {
    let path = try makeFile()
    let message = try refusal(path, [Bike.self, Shop.self, Spot.self])
    let start = try #require(message.firstRange(of: "ALTER TABLE"))
    let statements = message[start.lowerBound...].split(separator: "; ")
    #expect(statements.count == 11)
    #expect(
      statements[0]
        == #"ALTER TABLE "The ""bike""" ADD COLUMN "gears" INTEGER NOT NULL DEFAULT -21"#
    )
    #expect(statements[5] == #"ALTER TABLE "The ""bike""" ADD COLUMN "note" TEXT"#)
    let file = try RawDatabase(path)
    for statement in statements { try file.rows(String(statement)) }
    let store = try Store(.sqlite(path: path), entities: [Bike.self, Shop.self, Spot.self])
    let bike = try #require(try store.find(Bike.self, 1))
    #expect(bike.gears == -21 && bike.weight == 12 && bike.limit == .infinity)
    #expect(bike.name == "it's \"new\"" && bike.code == [0, 255] && bike.note == nil)
    #expect(bike.rank == 3 && bike.shop == nil && bike.wish == nil && bike.spot == nil)
    #expect(
      try file.rows("SELECT \"table\" FROM pragma_foreign_key_list('The \"bike\"')").count == 1)
    try store.commit { draft in
      try draft.insert(Shop(id: 1))
      try draft.update(Bike.self, 1) { $0.shop = Ref(1) }
    }
  }

  @Test func `P3: names what is missing where no statement would do`() throws {
    let message = try refusal(try makeFile(), [Required.self])
    #expect(message.contains(#"has no column "gears", and none named "weight""#))
    #expect(message.contains("give the attribute a default or make it optional"))
    #expect(!message.contains("ALTER"))
  }
}
