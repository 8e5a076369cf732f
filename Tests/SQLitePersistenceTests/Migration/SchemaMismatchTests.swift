import EntityStore
import Fixtures
import SQLitePersistence
import TestSupport
import Testing

/// The schema that the file is made with.
private struct Item: Entity {
  let id: Int
  var code: String
  var note: String?
  static let attributes = Attributes(
    .id(\Item.id), .attribute("code", \.code), .attribute("note", \.note))
  static let schema = Schema(attributes, Item.init, rules: [.unique(\.code)])
  static var entityName: String { "Item" }
}

@Suite struct `A schema that a file's rows don't fit is refused` {
  private let path = temporaryPath()

  private func fill(_ items: [Item]) throws {
    try Store(.sqlite(path: path), entities: [Item.self]).commit { draft in
      for item in items { try draft.insert(item) }
    }
  }

  @Test func `P4: an attribute less, which may be one that the program doesn't know yet`() throws {
    struct Less: Entity {
      let id: Int
      var code: String
      static let attributes = Attributes(.id(\Less.id), .attribute("code", \.code))
      static let schema = Schema(attributes, Less.init, rules: [.unique(\.code)])
      static var entityName: String { "Item" }
    }
    try fill([Item(id: 1, code: "a")])
    try refusal(
      path, [Less.self], naming: ["Item", "\"note\"", "renamedFrom", ".dropped", "update the app"])
    try Store(.sqlite(path: path), entities: [Item.self]).commit { try $0.delete(Item.self, 1) }
    // No row has a value that would go, but the program that has made the column would be the older
    // one from then on.
    try refusal(path, [Less.self], naming: ["\"note\"", "update the app"])
    _ = try Store(.sqlite(path: path), entities: [Item.self])
  }

  @Test func `P4: a migration may take an attribute from a table without rows`() throws {
    _ = try Store(.sqlite(path: path), entities: [PersonBefore.self])
    for _ in 0..<2 {
      let store = try Store(
        .sqlite(path: path, migrations: [splitting]), entities: [PersonAfter.self])
      #expect(try store.count(Query<PersonAfter>()) == 0)
    }
  }

  @Test func `P4: another type`() throws {
    struct Typed: Entity {
      let id: Int
      var code: Int
      var note: String?
      static let attributes = Attributes(
        .id(\Typed.id), .attribute("code", \.code), .attribute("note", \.note))
      static let schema = Schema(attributes, Typed.init, rules: [.unique(\.code)])
      static var entityName: String { "Item" }
    }
    try fill([Item(id: 1, code: "7")])
    try refusal(
      path, [Typed.self],
      naming: [
        "\"code\" of type TEXT", "INTEGER", "context.rewrite(\"Item\")", "new.set(\"code\", to: …)",
      ])
    let store = try Store(
      .sqlite(
        path: path,
        migrations: [
          Migration("new code") { context in
            try context.rewrite("Item") { old in
              var new = old
              new["code"] = .integer(Int64(try old.value("code", as: String.self) ?? "") ?? 0)
              return new
            }
          }
        ]), entities: [Typed.self])
    #expect(try store.find(Typed.self, 1)?.code == 7)
  }

  @Test func `P4: optional no more, where rows have no value`() throws {
    struct Required: Entity {
      let id: Int
      var code: String
      var note: String
      static let attributes = Attributes(
        .id(\Required.id), .attribute("code", \.code), .attribute("note", \.note))
      static let schema = Schema(attributes, Required.init, rules: [.unique(\.code)])
      static var entityName: String { "Item" }
    }
    try fill((1...5).map { Item(id: $0, code: "\($0)", note: $0 == 1 ? "x" : nil) })
    try refusal(
      path, [Required.self], naming: ["Item(2), Item(3), Item(4) and others", "\"note\""])
    try Store(.sqlite(path: path), entities: [Item.self]).commit { draft in
      for id in 2...5 { try draft.update(Item.self, id) { $0.note = "y" } }
    }
    let store = try Store(.sqlite(path: path), entities: [Required.self])
    #expect(try store.fetch(Query<Required>()).map(\.note) == ["x", "y", "y", "y", "y"])
  }

  @Test func `P4: a unique key more, which rows break`() throws {
    struct Strict: Entity {
      let id: Int
      var code: String
      var note: String?
      static let attributes = Attributes(
        .id(\Strict.id), .attribute("code", \.code), .attribute("note", \.note))
      static let schema = Schema(
        attributes, Strict.init, rules: [.unique(\.code), .unique(\.note)])
      static var entityName: String { "Item" }
    }
    try fill([
      Item(id: 1, code: "a", note: "n"), Item(id: 2, code: "b"), Item(id: 3, code: "c"),
      Item(id: 4, code: "d", note: "n"),
    ])
    try refusal(path, [Strict.self], naming: ["the same \"note\" in Item(1) and Item(4)"])
  }

  @Test func `P4: another id`() throws {
    struct Coded: Entity {
      let number: Int
      var id: String
      var note: String?
      static let attributes = Attributes(
        .attribute("id", \.number), .id(\Coded.id, name: "code"), .attribute("note", \.note))
      static let schema = Schema(attributes, Coded.init, rules: [.unique(\.id)])
      static var entityName: String { "Item" }
    }
    try fill([Item(id: 1, code: "a")])
    try refusal(path, [Coded.self], naming: ["another id", "migrations: ["])
    let store = try Store(
      .sqlite(
        path: path, migrations: [Migration("new id") { try $0.rewrite("Item") { old in old } }]),
      entities: [Coded.self])
    #expect(try store.find(Coded.self, "a")?.number == 1)
  }

  @Test func `P4: a required attribute more without a default`() throws {
    struct More: Entity {
      let id: Int
      var code: String
      var note: String?
      var size: Int
      static let attributes = Attributes(
        .id(\More.id), .attribute("code", \.code), .attribute("note", \.note),
        .attribute("size", \.size))
      static let schema = Schema(attributes, More.init, rules: [.unique(\.code)])
      static var entityName: String { "Item" }
    }
    try fill([Item(id: 1, code: "a")])
    try refusal(
      path, [More.self], naming: ["has no column \"size\"", "give the attribute a default"])
  }

  @Test func `P3: a unique index of another program that isn't among the rules`() throws {
    try fill([Item(id: 1, code: "a")])
    try RawDatabase(path).rows("CREATE UNIQUE INDEX mine ON Item(note)")
    struct More: Entity {
      let id: Int
      var code: String
      var note: String
      static let attributes = Attributes(
        .id(\More.id), .attribute("code", \.code), .attribute("note", \.note, default: ""))
      static let schema = Schema(attributes, More.init, rules: [.unique(\.code)])
      static var entityName: String { "Item" }
    }
    try refusal(path, [Item.self], naming: ["\"mine\" of another program"])
    try refusal(path, [More.self], naming: ["\"mine\" of another program"])
  }

  @Test(arguments: ["Item(id) WHERE code > 'a'", "Item(code) WHERE note IS NULL"])
  func `P3: a unique index of another program that says less than the rules changes nothing`(
    _ index: String
  ) throws {
    try fill([Item(id: 1, code: "a"), Item(id: 2, code: "b")])
    try RawDatabase(path).rows("CREATE UNIQUE INDEX mine ON \(index)")
    let store = try Store(.sqlite(path: path), entities: [Item.self])
    try store.commit { draft in
      try draft.update(Item.self, 1) { $0.code = "b" }
      try draft.update(Item.self, 2) { $0.code = "a" }
      try draft.insert(Item(id: 3, code: "c"))
    }
    try store.commit { draft in
      try draft.delete(Item.self, 3)
      try draft.insert(Item(id: 4, code: "c"))
    }
    #expect(
      try store.fetch(Query<Item>().sorted { [$0.code.ascending] }).map(\.id) == [2, 1, 4])
    #expect(throws: StoreError.self) {
      try store.commit { try $0.insert(Item(id: 5, code: "a")) }
    }
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }

  @Test(arguments: [
    "Item(code COLLATE NOCASE)", "Item(code COLLATE NOCASE) WHERE id > 1", "Item(id, lower(code))",
    "Item(note) WHERE id > 1",
  ])
  func `P3: a unique index of another program that may say more than the rules is refused`(
    _ index: String
  ) throws {
    try fill([Item(id: 1, code: "a")])
    try RawDatabase(path).rows("CREATE UNIQUE INDEX mine ON \(index)")
    try refusal(path, [Item.self], naming: ["\"mine\" of another program"])
  }
}
