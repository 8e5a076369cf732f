#if PostgreSQL
@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import Locking
@_spi(Storage) @testable import PostgreSQLPersistence
import Relays
import TestSupport
import Testing

@Suite struct PoolerTests {
  private let place: (connectionString: String, schema: String)
  private let pooler: TestPooler

  init() throws {
    place = try TestServer.place()
    pooler = try TestPooler(to: TestServer.folder(place.connectionString))
  }

  private func open(_ durability: ServerDurability = .full) throws -> Store {
    try Store(
      .postgreSQL(
        place.connectionString, pooler: pooler.connectionString, schema: place.schema,
        durability: durability, waiting: patience, attempts: 100),
      entities: [Person.self, Car.self])
  }

  @Test func `S1, P5: stores behind a pooler commit in one order and follow each other exactly`()
    async throws
  {
    let stores = try [open(), open(.normal), open()]
    try stores[0].fillGarage()
    try stores[0].commit { try $0.insert(Car(id: 100, model: "counter", year: 0, owner: nil)) }
    let query = Query<Car>().sorted { [$0.year.ascending, $0.id.descending] }
    let models = try stores.map { try FetchedObjectsModel(query, in: $0) }
    let commits = stores.map { Recorder($0.commits) }
    let turns = rounds(120)
    let tool = pooler.connectionString
    let year = #"UPDATE "\#(place.schema)"."Car" SET year = 7 WHERE id = 1"#
    onThreads(3) { writer in
      var random = SeededGenerator(seed: UInt64(writer))
      do {
        for turn in 0..<turns {
          try stores[writer].commit { draft in
            try draft.update(Car.self, 100) { $0.year += 1 }
            let id = 1000 * (writer + 1) + Int.random(in: 0..<10, using: &random)
            try draft.upsert(Car(id: id, model: "\(turn)", year: turn, owner: nil))
          }
          // Many rows are read by a cursor, in one transaction.
          if turn % 40 == 0 { _ = try stores[writer].fetch(query) }
          if turn % 10 == 0 { Tool.run(tool, year) }
        }
      } catch { Issue.record(error) }
    }
    for store in stores { try await store.catchUp() }
    #expect(try stores[0].find(Car.self, 100)?.year == 3 * turns)
    let expected = try stores[0].fetch(query).map { "\($0.id) \($0.model) \($0.year)" }
    for model in models {
      #expect(model.fetchedObjects.map { "\($0.id) \($0.model) \($0.year)" } == expected)
    }
    // No commit was taken for one of others.
    for one in commits { #expect(one.values.allSatisfy { $0.isComplete }) }
    let versions = try stores.map { try $0.version }
    #expect(Set(versions).count == 1 && versions[0] >= Int64(3 * turns + 2))
  }

  @Test func `P5: many rows pass a pooler, in both directions`() throws {
    let store = try open()
    let cars = (0..<10_000).map { Car(id: $0, model: "car \($0)", year: $0 % 7, owner: nil) }
    try store.commit { try $0.insert(contentsOf: cars) }
    let found = try store.fetch(Query<Car>().sorted { [$0.id.ascending] })
    #expect(
      found.map { "\($0.id) \($0.model) \($0.year)" }
        == cars.map { "\($0.id) \($0.model) \($0.year)" })
    #expect(try store.count(Query<Car>().filter { $0.year == 3 }) == 1429)
  }

  @Test func `What a store sets doesn't stay in a session that the pooler gives to others`()
    async throws
  {
    let store = try open()
    try store.fillGarage()
    let commits = Recorder(store.commits)
    for year in 0..<8 {
      try store.commit { try $0.update(Car.self, 1) { $0.year = 3000 + year } }
      // If the session said that it is a store's, no trigger would log this.
      #expect(
        Tool.run(
          pooler.connectionString,
          #"UPDATE "\#(place.schema)"."Car" SET year = \#(4000 + year) WHERE id = 1"#))
    }
    try await store.catchUp()
    #expect(commits.values.count == 16)
    #expect(try store.find(Car.self, 1)?.year == 4007)
  }

  @Test func `S1: a commit that fails at its end leaves nothing to the next one`() throws {
    let store = try open()
    let schema = place.schema
    #expect(
      Tool.run(
        place.connectionString,
        #"""
        CREATE FUNCTION "\#(schema)".refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.model = 'refused' THEN RAISE EXCEPTION 'refused' USING ERRCODE = 'XX000'; END IF;
          RETURN NULL;
        END $$
        """#,
        #"""
        CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON "\#(schema)"."Car"
          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "\#(schema)".refuse()
        """#))
    let refused = #expect(throws: StoreError.self) {
      try store.commit { try $0.insert(Car(id: 1, model: "refused", year: 0, owner: nil)) }
    }
    guard case .storage(let fault)? = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
    #expect(fault.detail?.hasPrefix("XX000") ?? false, "\(fault)")
    try store.commit { try $0.insert(Car(id: 2, model: "car", year: 0, owner: nil)) }
    #expect(try store.fetch(Query<Car>()).map(\.id) == [2])
  }

  @Test func `S6: a read behind a pooler that waits for too long is busy`() throws {
    // The creation of a schema may wait for other tests.
    _ = try open()
    let store = try Store(
      .postgreSQL(
        place.connectionString, pooler: pooler.connectionString, schema: place.schema,
        durability: .normal, waiting: .milliseconds(200)),
      entities: [Person.self, Car.self])
    try store.fillGarage()
    // Its connection knows the tables now.
    #expect(try store.find(Car.self, 1)?.year == 1994)
    let tool = try Tool(place.connectionString, schema: place.schema)
    tool.run("BEGIN; LOCK TABLE signalbox_metadata IN ACCESS EXCLUSIVE MODE")
    let kinds = Locked<[StorageFault.Kind]>([])
    let hasEnded = Counter()
    let reads = TestThread {
      func note(_ read: () throws -> Void) {
        do { try read() } catch StoreError.storage(let fault) {
          kinds.withLock { $0.append(fault.kind) }
        } catch { Issue.record(error) }
      }
      note { _ = try store.fetch(Query<Car>()) }
      note { _ = try store.find(Car.self, 1) }
      hasEnded.set(1)
    }
    expectTrue(becomesTrueBlocking { hasEnded.value == 1 })
    tool.run("ROLLBACK")
    reads.join()
    #expect(kinds.withLock { $0 } == [.busy, .busy])
    #expect(try store.find(Car.self, 1)?.year == 1994)
  }

  @Test func `S1: from when it has the lock, a pooled writer may be idle for 15 seconds`() throws {
    try open().fillGarage()
    let storage = PostgreSQLStorage(place.connectionString, schema: place.schema)
    let writer = try ServerStoreConnection(
      pooler.connectionString, schema: place.schema, isPooled: true, waitsForDisk: false,
      waiting: 10_000)
    // If it vanishes now, nothing that would set a limit follows.
    try storage.beginPooled(writer)
    let limit = try writer.execute("SHOW idle_in_transaction_session_timeout").text(0, 0)
    #expect(limit == "15s")
    writer.rollBack()
  }

  @Test func `S5: writers that wait leave the pooler's sessions to readers, even those in a body`()
    throws
  {
    let stores = try (0..<5).map { _ in try open(.normal) }
    try stores[0].fillGarage()
    // The pooler has two sessions, and there are more writers.
    onThreads(5) { writer in
      do {
        for _ in 0..<rounds(40) {
          try stores[writer].commit { draft in
            try draft.update(Car.self, 1) { $0.year += 1 }
            let count = try stores[writer].count(Query<Car>())
            #expect(count == 4)
          }
        }
      } catch { Issue.record(error) }
    }
    #expect(try stores[0].find(Car.self, 1)?.year == 1994 + 5 * rounds(40))
  }
}
#endif
