#if PostgreSQL
@_spi(Storage) @testable import EntityStore
import Fixtures
@_spi(Storage) @testable import PostgreSQLPersistence
import Testing

/// A commit keeps the objects that it has read by their ids.
@Suite struct KnownObjectsTests {
  /// Calls `body` with a store of Ann, whose commits and reads the proxy counts.
  private func withStore(_ body: (Store, ServerProxy) throws -> Void) throws {
    let place = try TestServer.place()
    let proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    defer { proxy.end() }
    let store = try Store(
      .postgreSQL(
        proxy.connectionString, schema: place.schema, durability: .normal, waiting: patience),
      entities: [Person.self, Car.self])
    try store.commit { try $0.insert(ann) }
    try body(store, proxy)
  }

  @Test func `S4: an object to which many new ones refer is looked up once`() throws {
    try withStore { store, proxy in
      // It counts what the client sends.
      proxy.fail(.delay, after: 100)
      try store.commit { draft in
        try draft.insert(
          contentsOf: (0..<500).map { Car(id: $0, model: "m", year: $0, owner: Ref(ann)) })
      }
      #expect(proxy.faults[.delay] == nil)
    }
  }

  @Test func `S5: what a body has found, or not found, isn't asked for again`() throws {
    try withStore { store, proxy in
      proxy.fail(.delay, after: 100)
      let found = try store.commit { draft in
        var found = 0
        for _ in 0..<500 {
          if try draft.find(Person.self, 1) != nil { found += 1 }
          if try draft.find(Person.self, 2) != nil { found += 1 }
        }
        try draft.update(Person.self, 1) { $0.age = found }
        return found
      }
      #expect(proxy.faults[.delay] == nil)
      #expect(found == 500)
      let age = try store.find(Person.self, 1)?.age
      #expect(age == 500)
    }
  }

  @Test func `A commit keeps a few megabytes, and forgets them before it reads ahead`() throws {
    let place = try TestServer.place()
    let storage = PostgreSQLStorage(
      place.connectionString, schema: place.schema, durability: .normal, waiting: patience)
    let store = try Store(.custom { storage }, entities: [Person.self])
    let name = String(repeating: "a", count: 1 << 20)
    try store.commit { draft in
      try draft.insert(contentsOf: (0..<20).map { Person(id: $0, name: name) })
    }
    let entity = Person.schema.entity
    let transaction = try storage.begin()
    defer { transaction.rollBack() }
    func read(_ id: Int) throws -> RowBox? {
      try transaction.row(of: entity, id: .integer(Int64(id)))?.box
    }
    weak var first: RowBox?
    weak var last: RowBox?
    first = try read(0)
    for id in 1..<19 { _ = try read(id) }
    last = try read(19)
    #expect(first != nil)
    #expect(last == nil)
    try transaction.readAhead([.integer(18), .integer(19)], of: entity, keepsOthers: false)
    last = try read(19)
    #expect(first == nil)
    #expect(last != nil)
    // One alone is kept as well.
    try transaction.readAhead([.integer(0)], of: entity, keepsOthers: false)
    first = try read(0)
    #expect(first != nil)
  }
}
#endif
