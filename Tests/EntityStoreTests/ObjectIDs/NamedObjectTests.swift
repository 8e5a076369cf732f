@testable import EntityStore
import Fixtures
import TestSupport
import Testing

private struct Depth: Entity {
  let id: Double
  var name = ""
  static let attributes = Attributes(.id(\Depth.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Depth.init)
}

private struct Blob: Entity {
  let id: [UInt8]
  static let attributes = Attributes(.id(\Blob.id))
  static let schema = Schema(attributes, Blob.init)
}

private struct Wide: Entity {
  let id: UInt64
  static let attributes = Attributes(.id(\Wide.id))
  static let schema = Schema(attributes, Wide.init)
}

private struct Café: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Café.id))
  static let schema = Schema(attributes, Café.init)
  static var entityName: String { "Caf\u{E9}" }
}

@Suite struct `Objects are found and deleted by their ObjectID` {
  private func makeStore(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeStore(
      Owner.self, Tag.self, Depth.self, Blob.self, Wide.self, Cabin.self, Lifeboat.self, Café.self)
    try store.commit { draft in
      try draft.insert(Owner(id: 7, name: "Ann"))
      try draft.insert(Tag(id: "7"))
      try draft.insert(Tag(id: "e\u{301}"))
      try draft.insert(Depth(id: 7))
      try draft.insert(Depth(id: -0.0))
      try draft.insert(Blob(id: [0x37]))
      try draft.insert(Wide(id: .max))
      try draft.insert(Cabin(id: .init(deck: "A", number: 7)))
      try draft.insert(Lifeboat(id: .init(number: 7)))
      try draft.insert(Café(id: 7))
    }
    return store
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: an object is found by its name, and by nothing else`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    let names = try store.contents().keys
    #expect(names.count == 10)
    for name in names {
      let again = try #require(ObjectID(name.description))
      let object = try #require(try store.find(again))
      #expect(try #require(ObjectID(any: object)) == name)
    }
    #expect(try store.find(ObjectID(Owner.self, 7)) as? Owner != nil)
    #expect(ObjectID(Owner.self, 7).id(as: Owner.self) == 7)
    #expect(ObjectID(Owner.self, 7).id(as: Tag.self) == nil)
    #expect(ObjectID(entityName: "Owner", id: .text("7")).id(as: Owner.self) == nil)
    #expect(
      ObjectID("Cabin(\"A\", 7)")?.id(as: Cabin.self) == Cabin.ID(deck: "A", number: 7))
    #expect(throws: StoreError.unknownEntity("Nobody")) {
      try store.find(ObjectID(entityName: "Nobody", id: .integer(7)))
    }
  }

  /// Names whose ids are like those of objects, and of another type.
  private static let strangers: [ObjectID] = [
    "Owner(7.0)", "Owner(\"7\")", "Owner(0x37)", "Owner(nil)", "Owner(7, 7)", "Tag(7)", "Tag(0x37)",
    "Tag(7.0)", "Tag(\"\u{E9}\")", "Depth(7)", "Depth(0)", "Depth(\"7\")", "Depth(\"7.0\")",
    "Blob(\"7\")", "Blob(55)", "Wide(-1)", "Wide(\"\")", "Cabin(\"A\")", "Cabin(\"A\", 7, 7)",
    "Cabin(\"A\", \"7\")", "Cabin(\"A\", 7.0)", "Cabin(7, \"A\")", "Cabin(nil)",
    "Cabin(\"A\", nil)",
    "Lifeboat(7)", "Lifeboat(\"7\",)", "Lifeboat(7, 7)",
  ].compactMap { ObjectID($0) }

  @Test(arguments: TestStorage.withServer)
  func `S8: an id of another type is that of no object`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    #expect(Self.strangers.count == 27)
    try withEvery("name", in: Self.strangers) { name in
      expectTrue(try store.find(name) == nil, "found")
      try store.read { expectTrue(try $0.find(name) == nil, "found in a reader") }
      try store.expectRefusal(.notFound(name)) { draft in
        expectTrue(try draft.find(name) == nil, "found in a draft")
        try draft.delete(name)
      }
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: an entity is named by the bytes of its name`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    let decomposed = ObjectID(entityName: "Cafe\u{301}", id: .integer(7))
    #expect(try store.find(ObjectID(Café.self, 7)) != nil)
    #expect(throws: StoreError.unknownEntity("Cafe\u{301}")) { try store.find(decomposed) }
    try store.expectRefusal(.unknownEntity("Cafe\u{301}")) { try $0.delete(decomposed) }
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: a delete by name is a delete`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    let names = try store.contents().keys.sorted()
    let commits = Recorder(store.commits)
    for (index, name) in names.enumerated() {
      try store.commit { draft in
        try draft.delete(name)
        #expect(try draft.find(name) == nil)
        #expect(throws: StoreError.notFound(name)) { try draft.delete(name) }
      }
      #expect(try store.find(name) == nil)
      #expect(try store.contents().count == names.count - index - 1)
    }
    #expect(commits.values.map(\.objectIDs) == names.map { [$0] })
    try store.expectRefusal(.notFound(names[0])) { try $0.delete(names[0]) }
  }

  @Test func `S8: a commit names objects in the order of names`() throws {
    struct Accented: Entity {
      let id: Int
      static let attributes = Attributes(.id(\Accented.id))
      static let schema = Schema(attributes, Accented.init)
      // Swift sorts this after "f", and its bytes stand before.
      static var entityName: String { "e\u{301}" }
    }
    struct Plain: Entity {
      let id: Int
      static let attributes = Attributes(.id(\Plain.id))
      static let schema = Schema(attributes, Plain.init)
      static var entityName: String { "f" }
    }
    let store = try Store(.inMemory, entities: [Accented.self, Plain.self])
    let commits = Recorder(store.commits)
    try store.commit { draft in
      for id in 1...3 {
        try draft.insert(Plain(id: id))
        try draft.insert(Accented(id: -id))
      }
    }
    let names = try #require(commits.values.first).objectIDs
    #expect(names == names.sorted())
    #expect(names.count == 6)
  }
}

extension ObjectID {
  /// The name of an object of any entity.
  fileprivate init?(any object: any Entity) {
    func name<E: Entity>(_ object: E) -> ObjectID { ObjectID(object) }
    self = name(object)
  }
}
