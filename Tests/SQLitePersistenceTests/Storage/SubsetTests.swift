import EntityStore
import SQLitePersistence
import TestSupport
import Testing

private struct Harbour: Entity {
  let id: Int
  var name = ""
  static let attributes = Attributes(.id(\Harbour.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Harbour.init)
}

private struct Berth: Entity {
  struct ID: CompositeID {
    var quay: String
    var number: Int
  }
  let id: ID
  static let attributes = Attributes(
    .id(\Berth.id, ID.init, .part("quay", \.quay), .part("number", \.number)))
  static let schema = Schema(attributes, Berth.init)
}

private struct Ship: Entity {
  let id: Int
  var home: Ref<Harbour>?
  var berth: Ref<Berth>?
  var next: Ref<Harbour>?
  static let attributes = Attributes(
    .id(\Ship.id), .one("home", \.home, onDelete: .cascade), .one("berth", \.berth),
    .one("next", \.next, lateBound: true))
  static let schema = Schema(attributes, Ship.init)
}

private struct Kai: Entity {
  let id: Int
  static let entityName = "KÄI"
  static let attributes = Attributes(.id(\Kai.id))
  static let schema = Schema(attributes, Kai.init)
}

/// Entities whose ids aren't their first attributes.
private struct Quay: Entity {
  var name: String
  let id: Int
  static let attributes = Attributes(.attribute("name", \.name), .id(\Quay.id))
  static let schema = Schema(attributes, Quay.init)
}

private struct Bollard: Entity {
  var load: Int
  let id: Berth.ID
  static let attributes = Attributes(
    .attribute("load", \.load),
    .id(\Bollard.id, Berth.ID.init, .part("quay", \.quay), .part("number", \.number)))
  static let schema = Schema(attributes, Bollard.init)
}

private struct Boat: Entity {
  let id: Int
  var quay: Ref<Quay>?
  var bollard: Ref<Bollard>?
  static let attributes = Attributes(
    .id(\Boat.id), .one("quay", \.quay), .one("bollard", \.bollard))
  static let schema = Schema(attributes, Boat.init)
}

@Suite struct `A file that is opened without some of its entities` {
  private let path = temporaryPath()
  private let berth = Berth.ID(quay: "a", number: 1)

  private func openAll() throws -> Store {
    try Store(
      .sqlite(path: path, durability: .normal), entities: [Harbour.self, Berth.self, Ship.self])
  }

  private func openSome() throws -> Store {
    try Store(.sqlite(path: path, durability: .normal), entities: [Harbour.self, Berth.self])
  }

  private func fill() throws -> Store {
    let store = try openAll()
    try store.commit { draft in
      for id in 1...3 { try draft.insert(Harbour(id: id)) }
      try draft.insert(Berth(id: berth))
      try draft.insert(Berth(id: .init(quay: "a", number: 2)))
      try draft.insert(Ship(id: 1, home: Ref(1), berth: Ref(berth), next: Ref(2)))
      try draft.insert(Ship(id: 2))
    }
    return store
  }

  private func expectRefusal(
    _ store: Store, naming words: [String], sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (inout Draft) throws -> Void
  ) throws {
    let version = try store.version
    do {
      try store.commit(body)
      Issue.record("It isn't refused", sourceLocation: sourceLocation)
    } catch StoreError.storage(let fault) {
      #expect(fault.kind == .schemaMismatch, sourceLocation: sourceLocation)
      for word in words {
        #expect(fault.message.contains(word), "\(fault)", sourceLocation: sourceLocation)
      }
    }
    #expect(try store.version == version, sourceLocation: sourceLocation)
  }

  @Test func `S4: keeps what the others refer to, and says which to open`() throws {
    _ = try fill()
    let store = try openSome()
    try expectRefusal(
      store, naming: ["Harbour(1) can't be deleted", "Ship", "by home; open the store with that"]
    ) { draft in
      try draft.update(Harbour.self, 2) { $0.name = "new" }
      try draft.delete(Harbour.self, 3)
      try draft.delete(Harbour.self, 1)
    }
    try expectRefusal(store, naming: ["Berth(\"a\", 1)", "by berth_quay, berth_number"]) {
      [berth] in try $0.delete(Berth.self, berth)
    }
    try expectRefusal(store, naming: ["Harbour(1)"]) { try $0.deleteAll(Harbour.self) }
    #expect(try store.fetch(Query<Harbour>()).map(\.name) == ["", "", ""])
    #expect(try store.count(Query<Berth>()) == 2)
  }

  @Test func `S4: keeps what the others refer to by an id that isn't the first attribute`() throws {
    try Store(
      .sqlite(path: path, durability: .normal), entities: [Quay.self, Bollard.self, Boat.self]
    ).commit { draft in
      // The name is another one's id, so that what is compared with what is seen.
      for id in 1...2 { try draft.insert(Quay(name: "\(3 - id)", id: id)) }
      try draft.insert(Bollard(load: 1, id: berth))
      try draft.insert(Boat(id: 1, quay: Ref(1), bollard: Ref(berth)))
    }
    let store = try Store(
      .sqlite(path: path, durability: .normal), entities: [Quay.self, Bollard.self])
    try expectRefusal(store, naming: ["Quay(1) can't be deleted", "by quay"]) {
      try $0.delete(Quay.self, 1)
    }
    try expectRefusal(store, naming: ["Bollard(\"a\", 1)", "by bollard_quay, bollard_number"]) {
      [berth] in try $0.delete(Bollard.self, berth)
    }
    try store.commit { try $0.delete(Quay.self, 2) }
  }

  @Test func `S4: lets objects be deleted that nothing or only a late-bound reference names`()
    throws
  {
    _ = try fill()
    let store = try openSome()
    try store.commit { draft in
      try draft.delete(Harbour.self, 2)
      try draft.delete(Berth.self, .init(quay: "a", number: 2))
      // Deleted and inserted again is an update.
      try draft.delete(Harbour.self, 1)
      try draft.insert(Harbour(id: 1, name: "again"))
    }
    let all = try openAll()
    #expect(try all.fetch(Query<Harbour>()).map(\.name) == ["again", ""])
    #expect(try all.find(Ship.self, 1)?.home == Ref(1))
    // With all of them the rule is known, and followed.
    try all.commit { try $0.delete(Harbour.self, 1) }
    #expect(try all.fetch(Query<Ship>()).map(\.id) == [2])
  }

  @Test func `S4: learns of a table that another store makes meanwhile`() throws {
    let store = try openSome()
    try store.commit { draft in
      for id in 1...2 { try draft.insert(Harbour(id: id)) }
    }
    try store.commit { try $0.delete(Harbour.self, 2) }
    let all = try openAll()
    try all.commit { try $0.insert(Ship(id: 1, home: Ref(1))) }
    try expectRefusal(store, naming: ["Harbour(1)", "Ship"]) { try $0.delete(Harbour.self, 1) }
    try all.commit { try $0.delete(Ship.self, 1) }
    try store.commit { try $0.delete(Harbour.self, 1) }
    #expect(try all.count(Query<Harbour>()) == 0)
  }

  @Test func `S4: minds a table of another program, too`() throws {
    let store = try openSome()
    try store.commit { draft in
      for id in 1...2 { try draft.insert(Harbour(id: id)) }
    }
    let raw = try RawDatabase(path)
    try raw.rows("CREATE TABLE \"my \"\"notes\"\"\" (about INTEGER REFERENCES harbour, text)")
    try raw.rows("INSERT INTO \"my \"\"notes\"\"\" VALUES (1, 'x')")
    try expectRefusal(store, naming: ["Harbour(1)", "my \"notes\"", "by about"]) {
      try $0.delete(Harbour.self, 1)
    }
    try store.commit { try $0.delete(Harbour.self, 2) }
  }
  @Test func `S4: minds what refers to a column that isn't an attribute`() throws {
    let store = try openSome()
    try store.commit { draft in
      for id in 1...2 { try draft.insert(Harbour(id: id)) }
    }
    let raw = try RawDatabase(path)
    try raw.rows("ALTER TABLE Harbour ADD COLUMN code TEXT")
    try raw.rows("CREATE UNIQUE INDEX codes ON Harbour(code)")
    try raw.rows("UPDATE Harbour SET code = 'k' || id")
    try raw.rows("CREATE TABLE mail (\"to\" TEXT REFERENCES HARBOUR(CODE))")
    try raw.rows("INSERT INTO mail VALUES ('k1')")
    try expectRefusal(store, naming: ["Harbour(1)", "mail", "by to"]) {
      try $0.delete(Harbour.self, 1)
    }
    try store.commit { try $0.delete(Harbour.self, 2) }
  }

  @Test func `S4: a table whose name differs by a letter beyond ASCII is another one`() throws {
    let store = try Store(.sqlite(path: path, durability: .normal), entities: [Kai.self])
    try store.commit { draft in
      for id in 1...2 { try draft.insert(Kai(id: id)) }
    }
    let raw = try RawDatabase(path)
    try raw.rows("CREATE TABLE \"käi\" (kai INTEGER REFERENCES \"kÄi\")")
    try raw.rows("INSERT INTO \"käi\" VALUES (1)")
    try raw.rows("CREATE TABLE other (kai INTEGER REFERENCES \"käi\")")
    try raw.rows("INSERT INTO other VALUES (2)")
    try expectRefusal(store, naming: ["KÄI(1)", "käi, which"]) { try $0.delete(Kai.self, 1) }
    try store.commit { try $0.delete(Kai.self, 2) }
  }
}
