import EntityStore
import SQLitePersistence
import TestSupport
import Testing

private struct OldCar: Entity {
  let id: Int
  var cost: Int?
  static let attributes = Attributes(.id(\OldCar.id), .attribute("cost", \.cost))
  static let schema = Schema(attributes, OldCar.init)
  static var entityName: String { "Car" }
}

/// The car of a later release, in which it and its attribute have other names.
private struct Vehicle: Entity {
  let id: Int
  var price: Int?
  static let attributes = Attributes(
    .id(\Vehicle.id), .attribute("price", \.price, renamedFrom: "cost"))
  static let schema = Schema(attributes, Vehicle.init, rules: [.renamedFrom("Car")])
}

/// The car of a later release, in which only its attribute has another name.
private struct PricedCar: Entity {
  let id: Int
  var price: Int?
  static let attributes = Attributes(
    .id(\PricedCar.id), .attribute("price", \.price, renamedFrom: "cost"))
  static let schema = Schema(attributes, PricedCar.init)
  static var entityName: String { "Car" }
}

/// An entity that has taken the former name of `Vehicle`.
private struct NewCar: Entity {
  let id: Int
  var cost: Int?
  var seats: Int?
  static let attributes = Attributes(
    .id(\NewCar.id), .attribute("cost", \.cost), .attribute("seats", \.seats))
  static let schema = Schema(attributes, NewCar.init)
  static var entityName: String { "Car" }
}

/// The car of a release whose migration reads an attribute of the one before.
private struct ListedCar: Entity {
  let id: Int
  var cost: Int?
  var list: Int
  static let attributes = Attributes(
    .id(\ListedCar.id), .attribute("cost", \.cost), .attribute("list", \.list))
  static let schema = Schema(attributes, ListedCar.init)
  static var entityName: String { "Car" }
}

/// Multiplies an attribute where it has a value.
private func cents(
  _ entity: String, _ attribute: String, named name: String = "cents"
) -> Migration {
  Migration(name) { context in
    try context.rewrite(entity) { old in
      var new = old
      if let value = try old.value(attribute, as: Int.self) {
        new.set(attribute, to: value * 100)
      }
      return new
    }
  }
}

/// Migrations that read an attribute by both of its names.
private let readings = [
  Migration("loop") { context in
    try context.rewrite("Car") { old in
      var new = old
      for name in ["cost", "price"] {
        if let value = try old.value(name, as: Int.self) { new.set(name, to: value * 100) }
      }
      return new
    }
  },
  Migration("otherwise") { context in
    for row in try context.rows(of: "Car") {
      #expect(!(row["price"].isNull ? row["cost"] : row["price"]).isNull)
    }
  },
  Migration("condition") { context in
    try context.delete(from: "Car") {
      $0["price"] == .integer(9) || $0["cost"] == .integer(9)
    }
  },
  Migration("other places") { context in
    try context.rewrite("Car") { old in
      var new = old
      new.remove("id")
      #expect(new["price"] != new["cost"])
      new["id"] = old["id"]
      return new
    }
  },
]

@Suite struct `A named migration of a file whose user has skipped a release` {
  private let path = temporaryPath()

  private func open<E: Entity>(_ type: E.Type, _ migrations: [Migration]) throws -> Store {
    try Store(
      .sqlite(path: path, durability: .normal, watching: .none, migrations: migrations),
      entities: [type])
  }

  private func fill() throws {
    try open(OldCar.self, []).commit { try $0.insert(OldCar(id: 1, cost: 7)) }
  }

  @Test func `P4: that uses the newer name of an entity is refused, and the error has the cure`()
    throws
  {
    try fill()
    let words = [
      "reads Vehicle, which is called Car there", "context.renameEntity(\"Car\", to: \"Vehicle\")",
      "context.entities",
    ]
    let migrations = [
      cents("Vehicle", "cost"),
      Migration("delete") { try $0.delete(from: "vehicle") { _ in true } },
      Migration("read") { _ = try $0.rows(of: "VEHICLE") },
    ]
    for migration in migrations {
      let message = try refusal(path, [Vehicle.self], migrations: [migration], naming: ["Car"])
      if migration.name == "cents" {
        for word in words { #expect(message.contains(word), "\(message)") }
      }
    }
    let renaming = Migration("vehicles") { try $0.renameEntity("Car", to: "Vehicle") }
    let store = try open(Vehicle.self, [renaming, cents("Vehicle", "cost")])
    #expect(try store.find(Vehicle.self, 1)?.price == 700)
  }

  @Test func `P4: that uses both names of an entity, or looks first, runs`() throws {
    try fill()
    let both = Migration("both") { context in
      for name in ["Vehicle", "Car"] { try cents(name, "cost").body(context) }
    }
    let looking = Migration("look") { context in
      guard try context.entities.contains("Vehicle") else { return }
      try cents("Vehicle", "price").body(context)
    }
    let store = try open(Vehicle.self, [both, looking])
    #expect(try store.find(Vehicle.self, 1)?.price == 700)
  }

  @Test func `P4: that uses the former name of an entity is refused, too`() throws {
    try fill()
    _ = try open(Vehicle.self, [])
    try refusal(
      path, [Vehicle.self], migrations: [cents("Car", "price")],
      naming: [
        "reads Car, which is called Vehicle there",
        "context.renameEntity(\"Car\", to: \"Vehicle\")", "let it read Vehicle",
      ])
  }

  @Test func `P4: that uses the newer name of an attribute is refused, and the error has the cure`()
    throws
  {
    try fill()
    let words = [
      "reads \"price\" of Car, which is called \"cost\" there",
      "context.rename(\"cost\", to: \"price\", in: \"Car\")", "context.attributes(of: \"Car\")",
    ]
    let deleting = Migration("delete") {
      try $0.delete(from: "Car") { $0["price"] == .integer(7) }
    }
    for migration in [cents("Car", "price"), deleting] {
      try refusal(path, [Vehicle.self], migrations: [migration], naming: words)
    }
    let renaming = Migration("prices") { try $0.rename("cost", to: "price", in: "Car") }
    let store = try open(Vehicle.self, [renaming, cents("Car", "price")])
    #expect(try store.find(Vehicle.self, 1)?.price == 700)
  }

  @Test func `P4: that reads an attribute by both names, and leaves one, runs`() throws {
    try fill()
    let both = Migration("both") { context in
      try context.rewrite("Car") { old in
        let found = old["price"].isNull ? old["cost"] : old["price"]
        var new = old
        new.remove("cost")
        new["price"] = found
        return new
      }
    }
    #expect(try open(Vehicle.self, [both]).find(Vehicle.self, 1)?.price == 7)
  }

  @Test(arguments: ["old", "renamed", "new"])
  func `P4: that reads an attribute by both of its names runs on a file of each form`(
    _ form: String
  ) throws {
    for migration in readings {
      let path = temporaryPath()
      func open(_ type: any Entity.Type, _ migrations: [Migration] = []) throws -> Store {
        try Store(.sqlite(path: path, watching: .none, migrations: migrations), entities: [type])
      }
      if form == "new" {
        try open(PricedCar.self).commit { try $0.insert(PricedCar(id: 1, price: 7)) }
      } else {
        try open(OldCar.self).commit { try $0.insert(OldCar(id: 1, cost: 7)) }
        if form == "renamed" { _ = try open(PricedCar.self) }
      }
      let price = try open(PricedCar.self, [migration]).find(PricedCar.self, 1)?.price
      #expect(price == (migration.name == "loop" ? 700 : 7), "\(migration.name)")
    }
  }

  @Test func `P4: that reads both names, and then renames or drops the table, runs`() throws {
    let renaming = Migration("rename") { context in
      try context.rewrite("Car") { old in
        var new = old
        new["price"] = old["price"].isNull ? old["cost"] : old["price"]
        new.remove("cost")
        return new
      }
      try context.renameEntity("Car", to: "Vehicle")
    }
    let moving = Migration("move") { context in
      for row in try context.rows(of: "Car") {
        var new = row
        new["price"] = row["price"].isNull ? row["cost"] : row["price"]
        new.remove("cost")
        try context.insert(new, into: "Vehicle")
      }
      try context.dropEntity("Car")
    }
    for migration in [renaming, moving] {
      let path = temporaryPath()
      try Store(.sqlite(path: path, watching: .none), entities: [OldCar.self])
        .commit { try $0.insert(OldCar(id: 1, cost: 7)) }
      let store = try Store(
        .sqlite(path: path, watching: .none, migrations: [migration]), entities: [Vehicle.self])
      #expect(try store.find(Vehicle.self, 1)?.price == 7, "\(migration.name)")
    }
  }

  @Test func `P4: whose list has another one for the other name runs`() throws {
    let renaming = Migration("rename") { try $0.renameEntity("Car", to: "Vehicle") }
    let lists = [
      [cents("Vehicle", "cost", named: "newer"), cents("Car", "cost", named: "older")],
      [cents("Car", "price", named: "newer"), cents("Car", "cost", named: "older")],
      [cents("Car", "price", named: "newer"), renaming, cents("Vehicle", "cost", named: "older")],
    ]
    for list in lists {
      let path = temporaryPath()
      try Store(.sqlite(path: path, watching: .none), entities: [OldCar.self])
        .commit { try $0.insert(OldCar(id: 1, cost: 7)) }
      let store = try Store(
        .sqlite(path: path, watching: .none, migrations: list), entities: [Vehicle.self])
      #expect(try store.find(Vehicle.self, 1)?.price == 700)
    }
  }

  @Test func `P4: that stands before the renaming, or behind one for the other name, is refused`()
    throws
  {
    let entity = Migration("rename") { try $0.renameEntity("Car", to: "Vehicle") }
    let attribute = Migration("prices") { try $0.rename("cost", to: "price", in: "Car") }
    let older = cents("Car", "cost", named: "older")
    let lists: [([Migration], String)] = [
      ([older, cents("Car", "price")], "reads \"price\" of Car, which is called \"cost\" there"),
      ([older, cents("Vehicle", "cost")], "reads Vehicle, which is called Car there"),
      ([cents("Car", "price"), attribute], "reads \"price\" of Car, which is called \"cost\""),
      ([attribute, cents("Car", "cost")], "reads \"cost\" of Car, which is called \"price\""),
      ([cents("Vehicle", "cost"), entity], "reads Vehicle, which is called Car there"),
      ([entity, cents("Car", "cost")], "reads Car, which is called Vehicle there"),
    ]
    try fill()
    for (list, words) in lists {
      try refusal(path, [Vehicle.self], migrations: list, naming: [words])
    }
    #expect(try open(OldCar.self, []).find(OldCar.self, 1)?.cost == 7)
  }

  @Test func `P4: that uses an entity without a table, or another name of an empty one, runs`()
    throws
  {
    _ = try open(OldCar.self, [])
    let emptying = Migration("no notes") { try $0.delete(from: "Note") { _ in true } }
    _ = try open(Vehicle.self, [emptying, cents("Vehicle", "price")])
    #expect(
      try RawDatabase(path).rows("SELECT name FROM signalbox_migrations ORDER BY number")
        == [["no notes"], ["cents"]])
  }

  @Test func `P4: isn't refused for the former name of an entity that has its own table`() throws {
    _ = try open(OldCar.self, [])
    func openBoth(_ migrations: [Migration]) throws -> Store {
      try Store(
        .sqlite(path: path, watching: .none, migrations: migrations),
        entities: [NewCar.self, Vehicle.self])
    }
    try openBoth([]).commit { draft in
      try draft.insert(NewCar(id: 1, cost: 7, seats: nil))
      try draft.insert(Vehicle(id: 1, price: 8))
    }
    // The price of a `Vehicle` was never the cost of today's car.
    let deleting = Migration("delete") {
      try $0.delete(from: "Car") { $0["price"] == .integer(7) }
    }
    let store = try openBoth([deleting])
    #expect(try store.count(Query<NewCar>()) == 1)
  }

  @Test func `P4: that reads and removes an attribute of a skipped release runs`() throws {
    try fill()
    let lists = Migration("lists") { context in
      try context.rewrite("Car") { old in
        var new = old
        let name = try old.value("listName", as: String.self) ?? "Home"
        new.set("list", to: name == "Home" ? 1 : 2)
        new.remove("listName")
        return new
      }
    }
    let reading = Migration("lists") { context in
      try context.rewrite("Car") { old in
        var new = old
        new.set("list", to: old["listName"].isNull ? 1 : 2)
        return new
      }
    }
    try refusal(
      path, [ListedCar.self], migrations: [reading],
      naming: ["\"listName\" of Car", ".dropped(\"listName\")", "correct the name"])
    #expect(try open(ListedCar.self, [lists]).find(ListedCar.self, 1)?.list == 1)
  }

  @Test func `P4: that reads an attribute of which nothing is left may be for another release`()
    throws
  {
    try fill()
    let reading = Migration("notes") { context in
      try context.rewrite("Car") { old in
        var new = old
        if old["note"].isNull { new.remove("note") }
        return new
      }
    }
    try refusal(
      path, [OldCar.self], migrations: [reading],
      naming: ["a version of the app that had no \"note\" yet", "the same list", "attributes(of:"])
  }
}
