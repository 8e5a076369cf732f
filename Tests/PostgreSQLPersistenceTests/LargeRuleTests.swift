#if PostgreSQL
import EntityStore
import Fixtures
import PostgreSQLPersistence
import Testing

private struct Harbour: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Harbour.id))
  static let schema = Schema(attributes, Harbour.init)
}

/// Stays without its harbour.
private struct Ship: Entity {
  let id: Int
  var name: String
  var harbour: Ref<Harbour>?
  static let attributes = Attributes(
    .id(\Ship.id), .attribute("name", \.name), .one("harbour", \.harbour, onDelete: .nullify))
  static let schema = Schema(attributes, Ship.init, rules: [.unique(\.name)])
}

/// Goes with its harbour.
private struct Quay: Entity {
  let id: Int
  var harbour: Ref<Harbour>
  static let attributes = Attributes(
    .id(\Quay.id), .one("harbour", \.harbour, onDelete: .cascade))
  static let schema = Schema(attributes, Quay.init)
}

/// Goes with its quay.
private struct Crane: Entity {
  let id: Int
  var quay: Ref<Quay>
  static let attributes = Attributes(.id(\Crane.id), .one("quay", \.quay, onDelete: .cascade))
  static let schema = Schema(attributes, Crane.init)
}

/// Keeps its harbour.
private struct Lease: Entity {
  let id: Int
  var rent: Double
  var harbour: Ref<Harbour>
  static let attributes = Attributes(
    .id(\Lease.id), .attribute("rent", \.rent), .one("harbour", \.harbour, onDelete: .deny))
  static let schema = Schema(attributes, Lease.init)
}

/// The rules of commits that change many objects.
@Suite struct LargeRuleTests {
  private let place: (connectionString: String, schema: String)
  private let proxy: ServerProxy
  private let store: Store

  init() throws {
    place = try TestServer.place()
    proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    store = try Store(
      .postgreSQL(
        proxy.connectionString, schema: place.schema, durability: .normal, waiting: patience),
      entities: [Harbour.self, Ship.self, Quay.self, Crane.self, Lease.self])
  }

  @Test func `S4: unique keys of many objects are looked up in a few round trips`() throws {
    defer { proxy.end() }
    // It counts what the client sends.
    proxy.fail(.delay, after: 100)
    try store.commit { draft in
      try draft.insert(contentsOf: (0..<2000).map { Ship(id: $0, name: "\($0)") })
    }
    #expect(proxy.faults[.delay] == nil)
    // Each ship gets the name of the next one.
    proxy.fail(.delay, after: 100)
    try store.commit { draft in
      try draft.updateAll(Query<Ship>()) { $0.name = "\(($0.id + 1) % 2000)" }
    }
    #expect(proxy.faults[.delay] == nil)
    let ships = (0..<2000).map { Ship(id: 5000 + $0, name: $0 == 0 ? "6" : "new \($0)") }
    #expect(
      throws: StoreError.notUnique(
        [ObjectID(Ship.self, 5), ObjectID(Ship.self, 5000)], attributes: ["name"],
        values: [.text("6")])
    ) { try store.commit { try $0.insert(contentsOf: ships) } }
    try store.commit { draft in
      try draft.delete(Ship.self, 5)
      try draft.insert(contentsOf: ships)
    }
    #expect(try store.find(Ship.self, by: (\.name, "6"))?.id == 5000)
    #expect(try store.count(Query<Ship>()) == 3999)
    // A text that no server can hold is refused as before.
    let error = #expect(throws: StoreError.self) {
      try store.commit { draft in
        try draft.insert(contentsOf: [Ship(id: 9000, name: "a\0"), Ship(id: 9001, name: "b")])
      }
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("Ship.name"))
  }

  @Test func `S4: what refers to many deleted objects is read in a few round trips`() throws {
    defer { proxy.end() }
    try store.commit { draft in
      try draft.insert(contentsOf: (0...1000).map { Harbour(id: $0) })
      try draft.insert(
        contentsOf: (0..<2002).map { Ship(id: $0, name: "\($0)", harbour: Ref($0 / 2)) })
      try draft.insert(contentsOf: (0...1000).map { Quay(id: $0, harbour: Ref($0)) })
      try draft.insert(contentsOf: (0...1000).map { Crane(id: $0, quay: Ref($0)) })
    }
    // It counts what the client sends.
    proxy.fail(.delay, after: 100)
    try store.commit { draft in
      // The rules see what the draft has written.
      try draft.update(Ship.self, 0) { $0.harbour = Ref(1000) }
      try draft.update(Quay.self, 7) { $0.harbour = Ref(1000) }
      try draft.insert(Quay(id: 5000, harbour: Ref(4)))
      try draft.insert(Crane(id: 5000, quay: Ref(5000)))
      try draft.deleteAll(Query<Harbour>().filter { $0.id < 1000 })
    }
    #expect(proxy.faults[.delay] == nil)
    #expect(try store.fetch(Query<Harbour>()).map(\.id) == [1000])
    #expect(try store.fetch(Query<Quay>()).map(\.id) == [7, 1000])
    #expect(try store.fetch(Query<Crane>()).map(\.id) == [7, 1000])
    let ships = try store.fetch(Query<Ship>())
    #expect(ships.count == 2002)
    #expect(ships.filter { $0.harbour != nil }.map(\.id) == [0, 2000, 2001])
  }

  @Test func `S4: an object that refers to one of many is found, and needn't be readable`()
    throws
  {
    defer { proxy.end() }
    try store.commit { draft in
      try draft.insert(contentsOf: (0..<1000).map { Harbour(id: $0) })
      for (id, harbour) in [900, 700, 700].enumerated() {
        try draft.insert(Lease(id: id, rent: 1, harbour: Ref(harbour)))
      }
    }
    let denied = StoreError.deleteDenied(
      ObjectID(Harbour.self, 700), referrer: ObjectID(Lease.self, 1), attribute: "harbour")
    // It counts what the client sends.
    proxy.fail(.delay, after: 100)
    #expect(throws: denied) { try store.commit { try $0.deleteAll(Harbour.self) } }
    #expect(proxy.faults[.delay] == nil)
    let isWritten = Tool.run(
      place.connectionString, #"UPDATE "\#(place.schema)"."Lease" SET rent = 'NaN'"#)
    #expect(isWritten)
    #expect(throws: StoreError.self) { _ = try store.find(Lease.self, 1) }
    #expect(throws: denied) { try store.commit { try $0.deleteAll(Harbour.self) } }
  }
}
#endif
