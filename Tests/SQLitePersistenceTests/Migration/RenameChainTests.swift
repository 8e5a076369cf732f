import EntityStore
import SQLitePersistence
import TestSupport
import Testing

// One table and what its versions call it: three releases, of which a user may skip any.

private struct First: Entity {
  let id: Int
  var a: String
  static let attributes = Attributes(.id(\First.id), .attribute("a", \.a))
  static let schema = Schema(attributes, First.init)
  static var entityName: String { "A" }
}

private struct Second: Entity {
  let id: Int
  var a: String
  static let attributes = Attributes(.id(\Second.id), .attribute("a", \.a))
  static let schema = Schema(attributes, Second.init, rules: [.renamedFrom("A")])
  static var entityName: String { "B" }
}

/// New under the first one's old name, with another attribute.
private struct OtherAgain: Entity {
  let id: Int
  var b: Int
  static let attributes = Attributes(.id(\OtherAgain.id), .attribute("b", \.b))
  static let schema = Schema(attributes, OtherAgain.init)
  static var entityName: String { "A" }
}

private struct Third: Entity {
  let id: Int
  var a: String
  static let attributes = Attributes(.id(\Third.id), .attribute("a", \.a))
  static let schema = Schema(attributes, Third.init, rules: [.renamedFrom("B", "A")])
  static var entityName: String { "C" }
}

/// What was `A`, as `B`, and what was `B`, as `C`.
private struct Shifted: Entity {
  let id: Int
  var a: String
  static let attributes = Attributes(.id(\Shifted.id), .attribute("a", \.a))
  static let schema = Schema(attributes, Shifted.init, rules: [.renamedFrom("B")])
  static var entityName: String { "C" }
}

private struct PlainB: Entity {
  let id: Int
  var a: String
  static let attributes = Attributes(.id(\PlainB.id), .attribute("a", \.a))
  static let schema = Schema(attributes, PlainB.init)
  static var entityName: String { "B" }
}

private struct SwappedA: Entity {
  let id: Int
  var a: String
  var peer: Ref<SwappedB>?
  static let attributes = Attributes(.id(\SwappedA.id), .attribute("a", \.a), .one("peer", \.peer))
  static let schema = Schema(attributes, SwappedA.init, rules: [.renamedFrom("B"), .index(\.a)])
  static var entityName: String { "A" }
}

private struct SwappedB: Entity {
  let id: Int
  var a: String
  static let attributes = Attributes(.id(\SwappedB.id), .attribute("a", \.a))
  static let schema = Schema(attributes, SwappedB.init, rules: [.renamedFrom("A")])
  static var entityName: String { "B" }
}

private struct Pair: Entity {
  let id: Int
  var x: String
  var y: String
  static let attributes = Attributes(.id(\Pair.id), .attribute("x", \.x), .attribute("y", \.y))
  static let schema = Schema(attributes, Pair.init, rules: [.unique(\.x), .index(\.y)])
}

private struct SwappedPair: Entity {
  let id: Int
  var x: String
  var y: String
  static let attributes = Attributes(
    .id(\SwappedPair.id), .attribute("x", \.x, renamedFrom: "y"),
    .attribute("y", \.y, renamedFrom: "x"))
  static let schema = Schema(attributes, SwappedPair.init, rules: [.unique(\.y), .index(\.x)])
  static var entityName: String { "Pair" }
}

/// The pair under another name.
private struct Couple: Entity {
  let id: Int
  var x: String
  var y: String
  static let attributes = Attributes(
    .id(\Couple.id), .attribute("x", \.x, renamedFrom: "y"), .attribute("y", \.y, renamedFrom: "x"))
  static let schema = Schema(attributes, Couple.init, rules: [.unique(\.y), .index(\.x)])
}

/// `a` is `b` now, and another `a` is new.
private struct NewAttribute: Entity {
  let id: Int
  var a: String
  var b: String
  static let attributes = Attributes(
    .id(\NewAttribute.id), .attribute("a", \.a, default: "new"),
    .attribute("b", \.b, renamedFrom: "a"))
  static let schema = Schema(attributes, NewAttribute.init)
  static var entityName: String { "A" }
}

@Suite struct `Names that pass from one entity or attribute to another` {
  private let path = temporaryPath()

  private func open(_ entities: any Entity.Type..., migrations: [Migration] = []) throws -> Store {
    try Store(.sqlite(path: path, durability: .normal, migrations: migrations), entities: entities)
  }

  private func fill() throws {
    try open(First.self).commit { try $0.insert(First(id: 1, a: "one")) }
  }

  @Test func `P4: an entity has another name, and a new one has its old name`() throws {
    try fill()
    for round in 0..<2 {
      let store = try open(OtherAgain.self, Second.self)
      #expect(try store.fetch(Query<Second>()).map(\.a) == ["one"])
      #expect(try store.count(Query<OtherAgain>()) == round)
      try store.commit { try $0.insert(OtherAgain(id: round, b: 7)) }
    }
    // Two releases later.
    let store = try open(OtherAgain.self, Third.self)
    #expect(try store.fetch(Query<Third>()).map(\.a) == ["one"])
    #expect(try store.count(Query<OtherAgain>()) == 2)
  }

  @Test func `P4: of two releases one is skipped`() throws {
    try fill()
    let store = try open(Third.self, OtherAgain.self)
    #expect(try store.fetch(Query<Third>()).map(\.a) == ["one"])
    #expect(try open(Third.self, OtherAgain.self).count(Query<OtherAgain>()) == 0)
  }

  @Test func `P4: two entities move on by one name each, like in every column`() throws {
    try open(First.self, PlainB.self).commit { draft in
      try draft.insert(First(id: 1, a: "was A"))
      try draft.insert(PlainB(id: 1, a: "was B"))
    }
    for _ in 0..<2 {
      let store = try open(Second.self, Shifted.self)
      #expect(try store.fetch(Query<Second>()).map(\.a) == ["was A"])
      #expect(try store.fetch(Query<Shifted>()).map(\.a) == ["was B"])
    }
    try refusal(path, [First.self, PlainB.self], .newer)
  }

  @Test func `P4: a program from before a rename is refused where there never was such a table`()
    throws
  {
    try open(Third.self).commit { try $0.insert(Third(id: 1, a: "one")) }  // a new file
    try refusal(path, [Second.self], .newer)
    try refusal(path, [First.self], .newer)
    #expect(try open(Third.self).count(Query<Third>()) == 1)
  }

  @Test func `P4: so is one of a release that the file has skipped`() throws {
    try fill()
    _ = try open(Third.self)
    try refusal(path, [Second.self], .newer)
    #expect(try open(Third.self).count(Query<Third>()) == 1)
  }

  @Test func `P4: where a table could be of either, it is refused, and a migration says which`()
    throws
  {
    try fill()
    try refusal(
      path, [First.self, Second.self],
      naming: ["table A", "of B, which was called so", "renameEntity(\"A\", to: \"B\")"])
    let store = try open(
      First.self, Second.self,
      migrations: [Migration("A is B") { try $0.renameEntity("A", to: "B") }])
    #expect(try store.fetch(Query<Second>()).map(\.a) == ["one"])
    #expect(try store.count(Query<First>()) == 0)
  }

  @Test func `P4: a table without rows stays with its own entity`() throws {
    _ = try open(First.self)
    let store = try open(First.self, Second.self)
    #expect(try store.count(Query<Second>()) == 0)
  }

  @Test func `P4: a table without rows follows the only entity that it fits`() throws {
    _ = try open(First.self)
    for _ in 0..<2 {
      let store = try open(OtherAgain.self, Second.self)
      #expect(try store.count(Query<Second>()) == 0)
      #expect(try store.count(Query<OtherAgain>()) == 0)
    }
  }

  @Test func `P4: a table that only its own entity can have stays, though another was called so`()
    throws
  {
    try open(OtherAgain.self).commit { try $0.insert(OtherAgain(id: 3, b: 3)) }
    let store = try open(OtherAgain.self, Second.self)
    #expect(try store.fetch(Query<OtherAgain>()).map(\.id) == [3])
    #expect(try store.count(Query<Second>()) == 0)
  }

  @Test func `P4: two entities exchange their names, once`() throws {
    try open(First.self, PlainB.self).commit { draft in
      try draft.insert(First(id: 1, a: "was A"))
      try draft.insert(PlainB(id: 2, a: "was B"))
    }
    for _ in 0..<3 {
      let store = try open(SwappedA.self, SwappedB.self)
      #expect(try store.fetch(Query<SwappedB>()).map(\.a) == ["was A"])
      #expect(try store.fetch(Query<SwappedA>()).map(\.a) == ["was B"])
      #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
      #expect(!hasCopy(path))
    }
  }

  @Test func `P4: whether two have exchanged their names can't be known where one isn't opened`()
    throws
  {
    try open(Third.self, PlainB.self).commit { draft in
      try draft.insert(Third(id: 1, a: "C"))
      try draft.insert(PlainB(id: 2, a: "B"))
    }
    // A file that has been opened so before has nothing left to exchange.
    #expect(try open(Third.self).count(Query<Third>()) == 1)
    let path = temporaryPath()
    try Store(.sqlite(path: path), entities: [First.self, PlainB.self]).commit { draft in
      try draft.insert(First(id: 1, a: "was A"))
      try draft.insert(PlainB(id: 2, a: "was B"))
    }
    try refusal(
      path, [Second.self],
      naming: ["a table B", "objects of A", "open the store with all entities"])
    try RawDatabase(path).rows("DELETE FROM A")
    #expect(try Store(.sqlite(path: path), entities: [Second.self]).count(Query<Second>()) == 1)
  }

  @Test func `P4: a migration exchanges names again, which keeps older versions out`() throws {
    try open(Pair.self).commit { try $0.insert(Pair(id: 1, x: "x", y: "y")) }
    _ = try open(SwappedPair.self)
    let again = Migration("again") { context in
      try context.rename("x", to: "spare", in: "Pair")
      try context.rename("y", to: "x", in: "Pair")
      try context.rename("spare", to: "y", in: "Pair")
    }
    for _ in 0..<2 {
      let store = try open(Pair.self, migrations: [again])
      #expect(try store.find(Pair.self, 1)?.x == "x")
    }
    try refusal(path, [SwappedPair.self], .newer)
  }

  @Test func `P4: an exchange is done once, though a migration renames the table`() throws {
    try open(Pair.self).commit { try $0.insert(Pair(id: 1, x: "x", y: "y")) }
    #expect(try open(SwappedPair.self).find(SwappedPair.self, 1)?.x == "y")
    let couple = Migration("couple") { try $0.renameEntity("PAIR", to: "Couple") }
    for _ in 0..<2 {
      let store = try open(Couple.self, migrations: [couple])
      #expect(try store.find(Couple.self, 1)?.x == "y")
    }
  }

  @Test func `P4: an attribute has another name, and a new one has its old name`() throws {
    try fill()
    for _ in 0..<2 {
      let store = try open(NewAttribute.self)
      #expect(try store.find(NewAttribute.self, 1)?.b == "one")
      #expect(try store.find(NewAttribute.self, 1)?.a == "new")
    }
  }

  @Test func `P4: a new file has them exchanged already`() throws {
    for round in 0..<3 {
      let store = try open(SwappedA.self, SwappedB.self)
      if round == 0 {
        try store.commit { draft in
          try draft.insert(SwappedA(id: 1, a: "A", peer: Ref(2)))
          try draft.insert(SwappedB(id: 2, a: "B"))
        }
      }
      #expect(try store.fetch(Query<SwappedA>()).map(\.a) == ["A"])
      #expect(try store.fetch(Query<SwappedB>()).map(\.a) == ["B"])
    }
  }

  @Test func `P4: two attributes exchange their names, once`() throws {
    try open(Pair.self).commit { draft in
      for id in 1...3 { try draft.insert(Pair(id: id, x: "x\(id)", y: "y")) }
    }
    for _ in 0..<3 {
      let store = try open(SwappedPair.self)
      #expect(try store.fetch(Query<SwappedPair>()).map(\.x) == ["y", "y", "y"])
      #expect(try store.fetch(Query<SwappedPair>()).map(\.y) == ["x1", "x2", "x3"])
    }
    let other = temporaryPath()
    for round in 0..<2 {
      let store = try Store(.sqlite(path: other), entities: [SwappedPair.self])
      if round == 0 { try store.commit { try $0.insert(SwappedPair(id: 1, x: "x", y: "y")) } }
      #expect(try store.fetch(Query<SwappedPair>()).map(\.x) == ["x"])
    }
  }
}
