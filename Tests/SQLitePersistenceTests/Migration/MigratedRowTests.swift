import EntityStore
import SQLitePersistence
import TestSupport
import Testing

private enum Rank: String, Storable { case low, high }

/// The person of today, whose schema has a rule that older rows may break.
private struct Ranked: Entity {
  let id: Int
  var name: String
  var rank: Rank
  static let attributes = Attributes(
    .id(\Ranked.id), .attribute("name", \.name), .attribute("rank", \.rank, default: .low))
  static let schema = Schema(
    attributes, Ranked.init, rules: [.check("isn't called Ann3") { !$0.name.hasPrefix("Ann3") }])
  static var entityName: String { "Person" }
}

/// The same under another name, without a former one.
private struct Human: Entity {
  let id: Int
  var name: String
  var rank: Rank
  static let attributes = Attributes(
    .id(\Human.id), .attribute("name", \.name), .attribute("rank", \.rank, default: .low))
  static let schema = Schema(attributes, Human.init)
}

/// The same with its former name.
private struct Being: Entity {
  let id: Int
  var name: String
  var rank: Rank
  static let attributes = Attributes(
    .id(\Being.id), .attribute("name", \.name), .attribute("rank", \.rank, default: .low))
  static let schema = Schema(attributes, Being.init, rules: [.renamedFrom("Person")])
}

private struct Seat: Entity {
  struct ID: CompositeID {
    var train: String
    var number: Int
  }
  let id: ID
  var next: Ref<Seat>?
  var price: Double
  static let attributes = Attributes(
    .id(\Seat.id, ID.init, .part("train", \.train), .part("number", \.number)),
    .one("next", \.next), .attribute("price", \.price))
  static let schema = Schema(attributes, Seat.init)
}

/// Gives each person a rank.
private func ranking(_ rank: String) -> Migration {
  Migration("rank") { context in
    try context.rewrite("Person") { old in
      var new = old
      new.set("rank", to: rank)
      return new
    }
  }
}

@Suite struct `Rows that a migration has written fit the schema` {
  private let path = temporaryPath()

  private func open(_ migrations: [Migration], _ entity: any Entity.Type = Ranked.self) throws
    -> Store
  {
    try Store(.sqlite(path: path, durability: .normal, migrations: migrations), entities: [entity])
  }

  private func isUntouched() throws -> Bool {
    let file = try RawDatabase(path)
    return try file.rows("SELECT name FROM signalbox_migrations").isEmpty
      && file.value("SELECT count(*) FROM Person") == "3"
  }

  @Test func `P4: a value that can't be read is refused`() throws {
    try fillPeople(path)
    try fault(.schemaMismatch, naming: [path, "rank", "\"urgent\"", "Person(1)"]) {
      _ = try open([ranking("urgent")])
    }
    let inserting = Migration("insert") { context in
      try context.insert(
        ["id": .integer(9), "name": .text("new"), "rank": .text("urgent")], into: "Person")
    }
    try fault(.schemaMismatch, naming: ["\"urgent\"", "Person(9)"]) { _ = try open([inserting]) }
    #expect(try isUntouched())
    try fault(.schemaMismatch, naming: ["\"urgent\"", "Being(1)"]) {
      _ = try open([ranking("urgent")], Being.self)
    }
    #expect(try isUntouched())
    #expect(try open([ranking("high")], Being.self).fetch(Query<Being>()).map(\.rank).count == 3)
  }

  @Test func `P4: also if a later migration gives the table another name`() throws {
    try fillPeople(path)
    let renaming = Migration("rename") { try $0.renameEntity("Person", to: "Human") }
    try fault(.schemaMismatch, naming: ["\"urgent\"", "Human(1)"]) {
      _ = try open([ranking("urgent"), renaming], Human.self)
    }
    #expect(try isUntouched())
    #expect(try open([ranking("high"), renaming], Human.self).count(Query<Human>()) == 3)
  }

  @Test func `P4: a changed row that breaks a rule is refused, and what nobody changed is kept`()
    throws
  {
    try fillPeople(path)
    try fault(.schemaMismatch, naming: [path, "Person(3)", "isn't called Ann3"]) {
      _ = try open([ranking("low")])
    }
    #expect(try isUntouched())
    let deleting = Migration("delete") { context in
      try context.delete(from: "Person") { try $0.value("id", as: Int.self) == 1 }
    }
    let inserting = Migration("insert") { context in
      try context.insert(["id": .integer(9), "name": .text("new")], into: "Person")
    }
    let store = try open([deleting, inserting])
    #expect(try store.fetch(Query<Ranked>()).map(\.id) == [2, 3, 9])
  }

  @Test func `P4: all rows of an entity that a migration has created meet its rules`() throws {
    _ = try Store(.sqlite(path: path, watching: .none), entities: [Seat.self])
    func creating(_ name: String) -> Migration {
      Migration("create") { context in
        for id in 1...2 {
          try context.insert(["id": .integer(Int64(id)), "name": .text(name)], into: "Person")
        }
      }
    }
    func open(_ name: String) throws -> Store {
      try Store(
        .sqlite(path: path, watching: .none, migrations: [creating(name)]),
        entities: [Seat.self, Ranked.self])
    }
    try fault(.schemaMismatch, naming: ["Person(1)", "isn't called Ann3"]) { _ = try open("Ann3") }
    #expect(try open("Bob").count(Query<Ranked>()) == 2)
  }

  @Test func `P4: all rows of an entity that a migration has emptied meet its rules`() throws {
    try fillPeople(path)
    let emptying = Migration("empty") { try $0.delete(from: "Person") { _ in true } }
    let inserting = Migration("insert") { context in
      try context.insert(["id": .integer(9), "name": .text("Ann3")], into: "Person")
    }
    try fault(.schemaMismatch, naming: ["Person(9)", "isn't called Ann3"]) {
      _ = try open([emptying, inserting])
    }
    #expect(try isUntouched())
  }

  @Test(arguments: [false, true])
  func `P4: all rows of an entity that had none meet its rules`(_ isRewritten: Bool) throws {
    _ = try open([])
    func inserting(_ name: String) -> Migration {
      Migration("insert") { context in
        if isRewritten { try context.rewrite("Person") { $0 } }
        try context.insert(
          ["id": .integer(9), "name": .text(name), "rank": .text("low")], into: "Person")
      }
    }
    try fault(.schemaMismatch, naming: ["Person(9)", "isn't called Ann3"]) {
      _ = try open([inserting("Ann3")])
    }
    #expect(try RawDatabase(path).value("SELECT count(*) FROM Person") == "0")
    #expect(try open([inserting("Bob")]).count(Query<Ranked>()) == 1)
  }

  @Test func `P4: ids of several parts, references that are nil, and whole numbers are read`()
    throws
  {
    let ids = (1...3).map { Seat.ID(train: "a", number: $0) }
    do {
      let store = try Store(.sqlite(path: path, watching: .none), entities: [Seat.self])
      try store.commit { draft in
        try draft.insert(Seat(id: ids[0], next: nil, price: 1.5))
        try draft.insert(Seat(id: ids[1], next: Ref(ids[0]), price: 2))
      }
    }
    let pricing = Migration("a whole price") { context in
      try context.rewrite("Seat") { old in
        var new = old
        new["price"] = .integer(7)
        return new
      }
    }
    let store = try open([pricing], Seat.self)
    #expect(try store.fetch(Query<Seat>()).map(\.price) == [7, 7])
    #expect(try store.find(Seat.self, ids[1])?.next == Ref(ids[0]))
  }
}
