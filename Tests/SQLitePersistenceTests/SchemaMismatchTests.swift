import EntityStore
import SQLitePersistence
import TestSupport
import Testing

/// The schema that the file is made with.
private struct Item: Entity {
  let id: Int
  var code: String
  var note: String?
  static let schema = Schema(
    Item.init, .id(\.id), .attribute("code", \.code), .attribute("note", \.note),
    rules: [.unique(\.code)])
  static var entityName: String { "Item" }
}

@Suite struct `A file whose tables don't fit the schemas isn't opened` {
  private func expectMismatch<E: Entity>(
    _ type: E.Type, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let path = temporaryPath()
    let item = try Store(.sqlite(path: path), entities: [Item.self])
    try item.commit { try $0.insert(Item(id: 1, code: "a")) }
    do {
      _ = try Store(.sqlite(path: path), entities: [type])
      Issue.record("\(type) is opened", sourceLocation: sourceLocation)
    } catch StoreError.storage(let fault) {
      #expect(fault.kind == .schemaMismatch, sourceLocation: sourceLocation)
      #expect(fault.message.contains("Item"), sourceLocation: sourceLocation)
    }
    #expect(try item.fetch(Query<Item>()).map(\.code) == ["a"], sourceLocation: sourceLocation)
  }

  @Test func `P3: an attribute more`() throws {
    struct More: Entity {
      let id: Int
      var code: String
      var note: String?
      var extra: Int?
      static let schema = Schema(
        More.init, .id(\.id), .attribute("code", \.code), .attribute("note", \.note),
        .attribute("extra", \.extra), rules: [.unique(\.code)])
      static var entityName: String { "Item" }
    }
    try expectMismatch(More.self)
  }

  @Test func `P3: an attribute less`() throws {
    struct Less: Entity {
      let id: Int
      var code: String
      static let schema = Schema(
        Less.init, .id(\.id), .attribute("code", \.code), rules: [.unique(\.code)])
      static var entityName: String { "Item" }
    }
    try expectMismatch(Less.self)
  }

  @Test func `P3: another type`() throws {
    struct Typed: Entity {
      let id: Int
      var code: Int
      var note: String?
      static let schema = Schema(
        Typed.init, .id(\.id), .attribute("code", \.code), .attribute("note", \.note),
        rules: [.unique(\.code)])
      static var entityName: String { "Item" }
    }
    try expectMismatch(Typed.self)
  }

  @Test func `P3: optional no more`() throws {
    struct Required: Entity {
      let id: Int
      var code: String
      var note: String
      static let schema = Schema(
        Required.init, .id(\.id), .attribute("code", \.code), .attribute("note", \.note),
        rules: [.unique(\.code)])
      static var entityName: String { "Item" }
    }
    try expectMismatch(Required.self)
  }

  @Test func `P3: a unique key less, which the file would still enforce`() throws {
    struct Loose: Entity {
      let id: Int
      var code: String
      var note: String?
      static let schema = Schema(
        Loose.init, .id(\.id), .attribute("code", \.code), .attribute("note", \.note))
      static var entityName: String { "Item" }
    }
    try expectMismatch(Loose.self)
  }

  @Test func `P3: a unique key more, which the file's objects may break`() throws {
    struct Strict: Entity {
      let id: Int
      var code: String
      var note: String?
      static let schema = Schema(
        Strict.init, .id(\.id), .attribute("code", \.code), .attribute("note", \.note),
        rules: [.unique(\.code), .unique(\.note)])
      static var entityName: String { "Item" }
    }
    try expectMismatch(Strict.self)
  }

  @Test func `P3: another id`() throws {
    struct Coded: Entity {
      let number: Int
      var id: String
      var note: String?
      static let schema = Schema(
        Coded.init, .attribute("id", \.number), .id(\.id, name: "code"),
        .attribute("note", \.note), rules: [.unique(\.id)])
      static var entityName: String { "Item" }
    }
    try expectMismatch(Coded.self)
  }
}
