#if PostgreSQL
@_spi(Storage) import EntityStore
import Fixtures
@_spi(Storage) import PostgreSQLPersistence
import TestSupport
import Testing

private struct Tag: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Tag.id))
  static let schema = Schema(attributes, Tag.init)
}

private struct LeftBefore: Entity {
  let id: Int
  var name: String
  static let entityName = "Left"
  static let attributes = Attributes(.id(\LeftBefore.id), .attribute("name", \.name))
  static let schema = Schema(attributes, LeftBefore.init)
}

private struct RightBefore: Entity {
  let id: Int
  var name: String
  static let entityName = "Right"
  static let attributes = Attributes(.id(\RightBefore.id), .attribute("name", \.name))
  static let schema = Schema(attributes, RightBefore.init)
}

private struct LeftAfter: Entity {
  let id: Int
  var name: String
  static let entityName = "Left"
  static let attributes = Attributes(.id(\LeftAfter.id), .attribute("name", \.name))
  static let schema = Schema(attributes, LeftAfter.init, rules: [.renamedFrom("Right")])
}

private struct RightAfter: Entity {
  let id: Int
  var name: String
  static let entityName = "Right"
  static let attributes = Attributes(.id(\RightAfter.id), .attribute("name", \.name))
  static let schema = Schema(attributes, RightAfter.init, rules: [.renamedFrom("Left")])
}

private struct OtherLeft: Entity {
  let id: Int
  var count: Int
  static let entityName = "Left"
  static let attributes = Attributes(.id(\OtherLeft.id), .attribute("count", \.count))
  static let schema = Schema(attributes, OtherLeft.init)
}

private struct PinBefore: Entity {
  let id: Int
  var left: Ref<LeftBefore>?
  static let entityName = "Pin"
  static let attributes = Attributes(.id(\PinBefore.id), .one("left", \.left))
  static let schema = Schema(attributes, PinBefore.init)
}

private struct PinAfter: Entity {
  let id: Int
  var left: Ref<LeftAfter>?
  static let entityName = "Pin"
  static let attributes = Attributes(.id(\PinAfter.id), .one("left", \.left))
  static let schema = Schema(attributes, PinAfter.init)
}

private struct Ticket: Entity {
  let id: Int
  var code: String
  var seat: String
  var holder: Ref<Tag>?
  static let attributes = Attributes(
    .id(\Ticket.id), .attribute("code", \.code), .attribute("seat", \.seat),
    .one("holder", \.holder))
  static let schema = Schema(attributes, Ticket.init, rules: [.unique(\.code)])
}

/// The code and the holder have new names, and others have theirs.
private struct NewTicket: Entity {
  let id: Int
  var oldCode: String
  var code: String?
  var seat: String
  var formerHolder: Ref<Tag>?
  var holder: Ref<Tag>?
  static let entityName = "Ticket"
  static let attributes = Attributes(
    .id(\NewTicket.id), .attribute("oldCode", \.oldCode, renamedFrom: "code"),
    .attribute("code", \.code), .attribute("seat", \.seat),
    .one("formerHolder", \.formerHolder, lateBound: true, renamedFrom: "holder"),
    .one("holder", \.holder))
  static let schema = Schema(attributes, NewTicket.init, rules: [.unique(\.code)])
}

/// The code and the seat have exchanged their names.
private struct Exchanged: Entity {
  let id: Int
  var code: String
  var seat: String
  var holder: Ref<Tag>?
  static let entityName = "Ticket"
  static let attributes = Attributes(
    .id(\Exchanged.id), .attribute("code", \.code, renamedFrom: "seat"),
    .attribute("seat", \.seat, renamedFrom: "code"), .one("holder", \.holder))
  static let schema = Schema(attributes, Exchanged.init, rules: [.unique(\.code)])
}

private struct Human: Entity {
  let id: Int
  var a: String
  var b: Int
  static let attributes = Attributes(
    .id(\Human.id), .attribute("a", \.a, renamedFrom: "b"), .attribute("b", \.b, renamedFrom: "a"))
  static let schema = Schema(attributes, Human.init, rules: [.renamedFrom("Being")])
}

private struct Being: Entity {
  let id: Int
  var a: Int
  var b: String
  static let attributes = Attributes(
    .id(\Being.id), .attribute("a", \.a), .attribute("b", \.b))
  static let schema = Schema(attributes, Being.init)
}

private struct BeingExchanged: Entity {
  let id: Int
  var a: String
  var b: Int
  static let entityName = "Being"
  static let attributes = Attributes(
    .id(\BeingExchanged.id), .attribute("a", \.a, renamedFrom: "b"),
    .attribute("b", \.b, renamedFrom: "a"))
  static let schema = Schema(attributes, BeingExchanged.init)
}

/// Another entity with the name.
private struct NewBeing: Entity {
  let id: Int
  var number: Int
  static let entityName = "Being"
  static let attributes = Attributes(.id(\NewBeing.id), .attribute("number", \.number))
  static let schema = Schema(attributes, NewBeing.init)
}

// Names that were exchanged, keys of columns with other names, and names that are the server's.
extension ServerMigrationTests {
  @Test(arguments: ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"])
  func `P4: a migration makes no column with a name that each table of the server has`(
    _ name: String
  ) throws {
    _ = try fill()
    let adding = Migration("add") { context in
      try context.rewrite("Person") { old in
        var new = old
        new[name] = .integer(1)
        return new
      }
    }
    let renaming = Migration("rename") { try $0.rename("name", to: name, in: "Person") }
    for migration in [adding, renaming] {
      let refused = fault { _ = try open([PersonBefore.self, Pet.self], [migration]) }
      #expect(refused?.kind == .schemaMismatch, "\(refused as Any)")
      #expect(refused?.message.contains("reserved name") ?? false, "\(refused as Any)")
    }
    #expect(try open([PersonBefore.self, Pet.self]).count(Query<PersonBefore>()) == 3)
  }

  @Test func `P4: an exchange stays done after a migration by a program without these entities`()
    throws
  {
    try open([LeftBefore.self, RightBefore.self, Tag.self]).commit { draft in
      try draft.insert(LeftBefore(id: 1, name: "left"))
      try draft.insert(RightBefore(id: 1, name: "right"))
    }
    let all: [any Entity.Type] = [LeftAfter.self, RightAfter.self, Tag.self]
    #expect(try open(all).find(LeftAfter.self, 1)?.name == "right")
    let nothing = Migration("nothing") { _ in }
    _ = try open([Tag.self], [nothing])
    #expect(try open(all, [nothing]).find(LeftAfter.self, 1)?.name == "right")
  }

  @Test func `P4: a reference is to the entity that has the name now`() throws {
    try open([LeftBefore.self, RightBefore.self, PinBefore.self]).commit { draft in
      try draft.insert(LeftBefore(id: 1, name: "left"))
      try draft.insert(RightBefore(id: 1, name: "right"))
      try draft.insert(PinBefore(id: 1, left: nil))
    }
    let store = try open([LeftAfter.self, RightAfter.self, PinAfter.self])
    try store.commit { draft in
      try draft.insert(LeftAfter(id: 5, name: "new"))
      try draft.update(PinAfter.self, 1) { $0.left = Ref(5) }
    }
    #expect(!psql(#"UPDATE "Pin" SET "left" = 7"#))
    #expect(!psql(#"DELETE FROM "Left" WHERE id = 5"#))
  }

  @Test func `P4: a key doesn't follow a column whose name another one has now`() throws {
    try open([Ticket.self, Tag.self]).commit { draft in
      try draft.insert(Tag(id: 1))
      try draft.insert(Ticket(id: 1, code: "a", seat: "1", holder: Ref(1)))
    }
    let store = try open([NewTicket.self, Tag.self])
    #expect(try store.find(NewTicket.self, 1)?.formerHolder == Ref(1))
    try store.commit { draft in
      try draft.insert(
        NewTicket(
          id: 2, oldCode: "a", code: nil, seat: "2", formerHolder: nil, holder: nil))
    }
    // A late-bound reference may dangle.
    try store.commit { try $0.delete(Tag.self, 1) }
    #expect(psql(#"UPDATE "Ticket" SET code = 'x' WHERE id = 1"#))
    #expect(!psql(#"UPDATE "Ticket" SET code = 'x' WHERE id = 2"#))
    #expect(!psql(#"UPDATE "Ticket" SET holder = 7 WHERE id = 2"#))
  }

  @Test func `P4: rows that break a key of exchanged columns are refused`() throws {
    let store = try open([Ticket.self, Tag.self])
    try store.commit { draft in
      for (id, code) in [(1, "x"), (2, "y")] {
        try draft.insert(Ticket(id: id, code: code, seat: "s", holder: nil))
      }
    }
    #expect(fault { _ = try open([Exchanged.self, Tag.self]) }?.kind == .schemaMismatch)
    try store.commit { try $0.update(Ticket.self, 2) { $0.seat = "t" } }
    let after = try open([Exchanged.self, Tag.self])
    #expect(try after.fetch(Query<Exchanged>()).map(\.code) == ["s", "t"])
    #expect(!psql(#"UPDATE "Ticket" SET code = 's'"#))
  }

  @Test func `P4: a table whose columns were exchanged follows its entity's new name`() throws {
    try open([Being.self]).commit { try $0.insert(Being(id: 1, a: 7, b: "seven")) }
    #expect(try open([BeingExchanged.self]).find(BeingExchanged.self, 1)?.a == "seven")
    let store = try open([Human.self, NewBeing.self])
    #expect(try store.find(Human.self, 1)?.a == "seven")
    #expect(try store.count(Query<NewBeing>()) == 0)
  }

  @Test func `P4: another program's table is refused, also with a former name of an entity`() throws
  {
    _ = try open([LeftBefore.self, Tag.self])
    let drop = Migration("drop") { try $0.dropEntity("Tag") }
    _ = try open([RightAfter.self], [drop])
    #expect(
      psql(
        #"CREATE TABLE "Tag" (id bigint PRIMARY KEY); CREATE TABLE "Left" (id bigint PRIMARY KEY, name text)"#
      ))
    let again = Migration("again") { _ in }
    let attempts: [[any Entity.Type]] = [
      [RightAfter.self, Tag.self], [RightAfter.self, LeftBefore.self],
    ]
    for entities in attempts {
      let refused = fault { _ = try open(entities, [drop, again]) }
      #expect(refused?.kind == .foreign, "\(refused as Any)")
    }
    #expect(psql(#"DROP TABLE "Tag"; DROP TABLE "Left""#))
    let store = try open([RightAfter.self, LeftBefore.self, Tag.self], [drop, again])
    try store.commit { try $0.insert(Tag(id: 1)) }
    #expect(try open([RightAfter.self, Tag.self], [drop, again]).count(Query<Tag>()) == 1)
  }

  @Test func `P4: an older program with the parts of an id in another order is refused`() throws {
    let older = try open([Halt.self])
    let store = try open([TurnedHalt.self])
    #expect(fault { _ = try open([Halt.self]) }?.kind == .newer)
    try store.commit { try $0.insert(TurnedHalt(id: .init(number: 2, train: 1), name: "a")) }
    #expect(try open([TurnedHalt.self]).count(Query<TurnedHalt>()) == 1)
    #expect(fault { _ = try older.count(Query<Halt>()) }?.kind == .newer)
    // Its schema goes back on purpose.
    let back = Migration("back") { _ in }
    #expect(try open([Halt.self], [back]).find(Halt.self, .init(train: 1, number: 2))?.name == "a")
  }

  @Test func `P4: another program's table with a former name of an entity is left alone`() throws {
    _ = try open([Tag.self])
    #expect(
      psql(
        #"CREATE TABLE "Left" (id bigint PRIMARY KEY, name text); INSERT INTO "Left" VALUES (1, 'theirs')"#
      ))
    #expect(try open([RightAfter.self]).count(Query<RightAfter>()) == 0)
    #expect(psql(#"UPDATE "Left" SET name = 'still theirs' WHERE id = 1"#))
    #expect(try open([RightAfter.self]).count(Query<RightAfter>()) == 0)
  }

  @Test func `P4: another program's table is refused, also if a renamed entity fits it`() throws {
    _ = try open([Tag.self])
    #expect(
      psql(
        #"CREATE TABLE "Left" (id bigint PRIMARY KEY, name text); INSERT INTO "Left" VALUES (1, 'theirs')"#
      ))
    #expect(fault { _ = try open([RightAfter.self, OtherLeft.self]) }?.kind == .foreign)
    #expect(psql(#"UPDATE "Left" SET name = 'still theirs' WHERE id = 1"#))
  }

  @Test func `P4: another program's table with a former name doesn't hinder an opening`() throws {
    try open([RightBefore.self]).commit { try $0.insert(RightBefore(id: 1, name: "one")) }
    #expect(
      psql(
        #"CREATE TABLE "Left" (id bigint PRIMARY KEY, name text); INSERT INTO "Left" VALUES (1, 'theirs')"#
      ))
    #expect(try open([RightAfter.self]).count(Query<RightAfter>()) == 1)
  }
}
#endif
