import EntityStore
@testable import SQLitePersistence
import TestSupport
import Testing

@Suite struct `A migration of a file that is opened without some of its entities` {
  private let path = temporaryPath()
  private let nobody = Migration("nobody") { try $0.delete(from: "Person") { _ in true } }

  private func fill() throws {
    let store = try openGarage(path)
    try store.commit { draft in
      try draft.insert(Person(id: "ann", name: "Ann"))
      for id in 1...5 { try draft.insert(Car(id: id, model: "\(id)", driver: Ref("ann"))) }
    }
  }

  @Test func `P4: leaves no reference of theirs to what it has deleted`() throws {
    try fill()
    let words = ["Car", "refers by driver", "Person", "open the store with that entity, too"]
    try refusal(path, [Person.self], migrations: [nobody], naming: words)
    try refusal(
      path, [Person.self], migrations: [Migration("none") { try $0.dropEntity("Person") }],
      naming: words)
    struct Other: Entity {
      let id: Int
      static let attributes = Attributes(.id(\Other.id))
      static let schema = Schema(attributes, Other.init)
    }
    try refusal(
      path, [Other.self], migrations: [Migration("none") { try $0.dropEntity("Person") }],
      naming: words)
  }

  @Test func `P4: succeeds where they refer to nothing, or are dropped as well`() throws {
    try fill()
    let both = Migration("both") { context in
      try nobody.body(context)
      try context.dropEntity("Car")
    }
    #expect(
      try Store(.sqlite(path: path, migrations: [both]), entities: [Person.self])
        .count(Query<Person>()) == 0)
  }

  @Test func `P4: may empty their tables and insert rows, but not rewrite a table without rows`()
    throws
  {
    try fill()
    let steps = [
      Migration("no car") { try $0.delete(from: "Car") { _ in true } },
      Migration("no car, again") { try $0.delete(from: "Car") { _ in true } },
      Migration("a car") { try $0.insert(["id": .integer(9), "model": .text("x")], into: "Car") },
    ]
    for count in 1...3 {
      let migrations = Array(steps.prefix(count))
      _ = try Store(.sqlite(path: path, migrations: migrations), entities: [Person.self])
    }
    let store = try Store(
      .sqlite(path: path, migrations: steps), entities: [Person.self, Car.self])
    #expect(try store.fetch(Query<Car>()).map(\.id) == [9])
    let painting = Migration("a red car") {
      let row: Migration.Row = ["id": .integer(10), "model": .text("y"), "colour": .text("red")]
      try $0.insert(row, into: "Car")
    }
    try refusal(
      path, [Person.self], migrations: steps + [painting],
      naming: ["rewritten Car, which the store is opened without", "drop the entity"])
    // The columns that it would lose can't be known.
    let rewriting = Migration("other cars") { context in
      try context.delete(from: "Car") { _ in true }
      try context.rewrite("Car") { $0 }
    }
    try refusal(
      path, [Person.self], migrations: steps + [rewriting],
      naming: ["rewritten Car, which the store is opened without", "drop the entity"])
  }

  @Test func `P4: is refused for a table of another program, too, and not for its faulty keys`()
    throws
  {
    try fill()
    let file = try RawDatabase(path)
    // Nothing can be looked up by it: a name isn't unique by itself.
    try file.rows("CREATE TABLE faulty (name TEXT REFERENCES Person(name))")
    try file.rows("INSERT INTO faulty VALUES ('x')")
    let store = try Store(
      .sqlite(path: path, migrations: [Migration("2") { _ in }]), entities: [Person.self])
    #expect(try store.count(Query<Person>()) == 1)
    try file.rows("CREATE TABLE notes (about TEXT REFERENCES Person)")
    try file.rows("INSERT INTO notes VALUES ('ann')")
    try refusal(
      path, [Person.self, Car.self],
      migrations: [
        Migration("2") { _ in },
        Migration("all") { context in
          try nobody.body(context)
          try context.delete(from: "Car") { _ in true }
        },
      ], naming: ["notes", "refers by about"])
  }

  private struct Garage: Entity {
    let id: Int
    static let attributes = Attributes(.id(\Garage.id))
    static let schema = Schema(attributes, Garage.init)
  }

  /// The car with a reference more.
  private struct ParkedCar: Entity {
    let id: Int
    var model: String
    var owner: Ref<Person>?
    var driver: Ref<Person>?
    var tower: Ref<ParkedCar>?
    var garage: Ref<Garage>?
    static let attributes = Attributes(
      .id(\ParkedCar.id), .attribute("model", \.model), .one("owner", \.owner),
      .one("driver", \.driver), .one("tower", \.tower, lateBound: true),
      .one("garage", \.garage))
    static let schema = Schema(
      attributes, ParkedCar.init, rules: [.unique(\.model), .index(\.model, \.owner)])
    static var entityName: String { "Car" }
  }

  @Test func `P4: isn't refused for a reference that a tool has broken before`() throws {
    try fill()
    let file = try RawDatabase(path)
    try file.rows("DELETE FROM Person")
    let marker = Migration("2.0") { _ in }
    do {
      let store = try Store(
        .sqlite(path: path, watching: .none, migrations: [marker]),
        entities: [Person.self, Car.self])
      #expect(try store.count(Query<Car>()) == 5)
    }
    do {
      let store = try Store(
        .sqlite(path: path, watching: .none, migrations: [marker]),
        entities: [Person.self, ParkedCar.self, Garage.self])
      #expect(try store.find(ParkedCar.self, 1)?.driver == Ref("ann"))
    }
    // A migration that writes to one of the two tables has to leave them right.
    let deleting = Migration("delete") { try $0.delete(from: "Car") { $0["id"] == .integer(1) } }
    try refusal(
      path, [Person.self, ParkedCar.self, Garage.self], migrations: [marker, deleting],
      naming: ["Car(2), Car(3), Car(4) and others refer by driver to a Person"])
  }

  @Test func `P4: isn't refused for what dangled before, unless it takes rows of that`() throws {
    try fill()
    let file = try RawDatabase(path)
    try file.rows("CREATE TABLE customers (id INTEGER PRIMARY KEY)")
    try file.rows("CREATE TABLE goods (id INTEGER PRIMARY KEY)")
    try file.rows(
      "CREATE TABLE orders (customer INTEGER REFERENCES customers(id), car INTEGER REFERENCES Car)")
    try file.rows("INSERT INTO orders VALUES (77, 5)")
    let entities: [any Entity.Type] = [Person.self, Car.self]
    let steps = [
      Migration("nothing") { _ in },
      Migration("no car 4") { try $0.delete(from: "Car") { $0["id"] == .integer(4) } },
      Migration("Bob") {
        try $0.insert(["id": .text("bob"), "name": .text("Bob")], into: "Person")
      },
    ]
    for count in 1...3 {
      _ = try Store(
        .sqlite(path: path, migrations: Array(steps.prefix(count))), entities: entities)
    }
    func refuse(
      _ words: [String], _ body: @escaping @Sendable (Migration.Context) throws -> Void
    ) throws {
      try refusal(
        path, entities, migrations: steps + [Migration("last", body)], naming: ["orders"] + words)
    }
    try refuse(["refers by car"]) { try $0.delete(from: "Car") { _ in true } }
    try refuse(["refers by customer", "to a customers"]) { try $0.dropEntity("customers") }
    try refuse(["refers by customer", "to a clients"]) { context in
      try context.dropEntity("customers")
      try context.renameEntity("goods", to: "customers")
      try context.renameEntity("customers", to: "clients")
    }
    try file.rows("UPDATE orders SET customer = NULL")
    try refuse(["refers by car"]) { try $0.insert(["car": .integer(99)], into: "orders") }
  }
}
