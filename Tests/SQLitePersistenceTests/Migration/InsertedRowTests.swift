import EntityStore
import SQLitePersistence
import TestSupport
import Testing

private struct Auto: Entity {
  let id: Int
  var cost: Int?
  static let attributes = Attributes(.id(\Auto.id), .attribute("cost", \.cost))
  static let schema = Schema(attributes, Auto.init)
}

private struct Bike: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Bike.id))
  static let schema = Schema(attributes, Bike.init)
}

private struct GreyBike: Entity {
  let id: Int
  var color: String
  static let attributes = Attributes(
    .id(\GreyBike.id), .attribute("color", \.color, default: "grey"))
  static let schema = Schema(attributes, GreyBike.init)
  static var entityName: String { "Bike" }
}

private struct WhiteBike: Entity {
  let id: Int
  var color: String
  static let attributes = Attributes(
    .id(\WhiteBike.id), .attribute("color", \.color, default: "white"))
  static let schema = Schema(attributes, WhiteBike.init)
  static var entityName: String { "Bike" }
}

@Suite struct `A row that a migration inserts` {
  private let path = temporaryPath()

  @Test(arguments: [false, true])
  func `P4: gets no default of an earlier schema, whatever the file has been through`(
    _ isAltered: Bool
  ) throws {
    let types: [any Entity.Type] = isAltered ? [Bike.self, GreyBike.self] : [GreyBike.self]
    for type in types {
      _ = try Store(.sqlite(path: path, watching: .none), entities: [type])
    }
    for name in ["Bike", "Wheel"] {
      try refusal(
        path, [WhiteBike.self],
        migrations: [
          Migration("insert") { context in
            if name == "Wheel" { try context.renameEntity("Bike", to: "Wheel") }
            try context.insert(["id": .integer(9)], into: name)
          }
        ], naming: ["gives \(name) a row that its table doesn't take", "NOT NULL"])
    }
  }

  @Test func `P4: gets the defaults of another program's table`() throws {
    _ = try Store(.sqlite(path: path, watching: .none), entities: [Bike.self])
    let file = try RawDatabase(path)
    try file.rows(
      "CREATE TABLE theirs (id INTEGER PRIMARY KEY, note TEXT NOT NULL DEFAULT 'x') STRICT")
    let inserting = Migration("insert") { try $0.insert(["id": .integer(9)], into: "theirs") }
    _ = try Store(
      .sqlite(path: path, watching: .none, migrations: [inserting]), entities: [Bike.self])
    #expect(try file.rows("SELECT * FROM theirs") == [["9", "x"]])
  }

  @Test func `P4: leaves no column in a table without its entity if it is refused`() throws {
    do {
      let store = try Store(
        .sqlite(path: path, watching: .none), entities: [Bike.self, Auto.self])
      try store.commit { try $0.insert(Bike(id: 1)) }
    }
    let inserting = Migration("insert") { context in
      try? context.insert(["id": .integer(1), "extra": .text("x")], into: "Bike")
    }
    try refusal(
      path, [Auto.self], migrations: [inserting],
      naming: ["rewritten Bike, which the store is opened without"])
    #expect(
      try Store(.sqlite(path: path, watching: .none), entities: [Bike.self])
        .count(Query<Bike>()) == 1)
  }
}
