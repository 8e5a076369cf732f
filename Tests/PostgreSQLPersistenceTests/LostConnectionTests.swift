#if PostgreSQL
@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import Locking
@_spi(Storage) import PostgreSQLPersistence
import Relays
import TestSupport
import Testing

private func open(_ connectionString: String, _ schema: String) throws -> Store {
  try Store(
    .postgreSQL(connectionString, schema: schema, durability: .normal, waiting: patience),
    entities: [Person.self, Car.self])
}

@Suite struct LostConnectionTests {
  @Test func `S1: whatever is cut and when, a commit that returns is there, and another isn't`()
    throws
  {
    let place = try TestServer.place()
    let proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    defer { proxy.end() }
    var store = try open(proxy.connectionString, place.schema)
    // What is there is read on another way.
    let there = try open(place.connectionString, place.schema)
    var random = SeededGenerator(number: 1)
    var expected: [Int] = []
    var unknown: [Int] = []
    var thrown = 0
    for round in 0..<rounds(500) {
      let fault = ServerProxy.Fault.allCases.randomElement(using: &random) ?? .delay
      proxy.fail(fault, after: Int.random(in: 0...4, using: &random))
      do {
        try store.commit { draft in
          try draft.insert(Car(id: round, model: "car", year: 0, owner: nil))
          _ = try draft.find(Car.self, round - 1)
        }
        expected.append(round)
      } catch StoreError.storage {
        thrown += 1
      } catch StoreError.outcomeUnknown {
        // On a slow machine nobody may have answered in time. The store refuses commits now.
        unknown.append(round)
        proxy.fail(.delay, after: .max)
        store = try open(proxy.connectionString, place.schema)
      }
      let known = try there.fetch(Query<Car>()).map(\.id).filter { !unknown.contains($0) }
      #expect(known == expected, "round \(round), \(fault)")
    }
    #expect(thrown > 0 && !expected.isEmpty)
    for fault in ServerProxy.Fault.allCases { #expect(proxy.faults[fault, default: 0] > 0) }
    let version = Int(try there.version)
    #expect((expected.count...expected.count + 2 * unknown.count).contains(version))
  }

  @Test func `S1: a commit whose connection is lost while it still runs is waited for`() throws {
    let place = try TestServer.place()
    let proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    defer { proxy.end() }
    let store = try open(proxy.connectionString, place.schema)
    try store.fillGarage()
    // Another program holds the row for a moment, so the server can't end the commit yet.
    let tool = TestThread {
      Tool.run(
        place.connectionString,
        """
        BEGIN; SET LOCAL signalbox.writer = 'store'; UPDATE "\(place.schema)"."Car" SET year = 7 WHERE id = 1;
        SELECT pg_sleep(0.2); COMMIT
        """)
    }
    Thread.sleep(forTimeInterval: 0.1)
    // To begin, to read, and to write.
    proxy.fail(.cutAtOnce, after: 2)
    var isThere: Bool? = true
    do {
      try store.commit { try $0.update(Car.self, 1) { $0.model = "mine" } }
    } catch StoreError.storage {
      // On a slow machine the server gives up waiting for the row.
      isThere = false
    } catch StoreError.outcomeUnknown {
      // On a slow machine nobody may have answered in time, either.
      isThere = nil
    }
    tool.join()
    #expect(proxy.faults[.cutAtOnce] == 1)
    let isMine = try store.find(Car.self, 1)?.model == "mine"
    #expect(isThere == nil || isMine == isThere)
  }

  @Test func `S1: a commit that changes nothing may lose its server, and others go on afterwards`()
    throws
  {
    let place = try TestServer.place()
    let proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    defer { proxy.end() }
    let store = try Store(
      .postgreSQL(proxy.connectionString, schema: place.schema, waiting: patience),
      entities: [Person.self, Car.self])
    let there = try open(place.connectionString, place.schema)
    try there.commit { try $0.insert(Car(id: 1, model: "there", year: 0, owner: nil)) }
    // What it has seen has to be on the disk when it returns.
    let error = #expect(throws: StoreError.self) { try store.commit { _ in proxy.close() } }
    guard case .storage(_)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    proxy.open()
    try store.commit { _ in }
    // It is known to be there now, so nobody has to ask.
    try store.commit { _ in proxy.close() }
    proxy.open()
    try store.commit { try $0.insert(Car(id: 2, model: "here", year: 0, owner: nil)) }
    #expect(try there.count(Query<Car>()) == 2)
    // A connection that was lost while nobody used it is no fault of this commit.
    try there.commit { try $0.insert(Car(id: 3, model: "there", year: 0, owner: nil)) }
    try store.commit { _ in }
  }

  @Test func `P5: models keep what they show while the server is away, and go on afterwards`()
    async throws
  {
    let place = try TestServer.place()
    let proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    defer { proxy.end() }
    let store = try open(proxy.connectionString, place.schema)
    let there = try open(place.connectionString, place.schema)
    try store.fillGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let shown = model.fetchedObjects.map(\.id)
    let errors = store.errors.values()
    proxy.close()
    #expect(throws: StoreError.self) { try store.commit { try $0.delete(Car.self, 1) } }
    #expect(model.fetchedObjects.map(\.id) == shown)
    for await _ in errors { break }
    try there.commit { try $0.insert(Car(id: 99, model: "there", year: 0, owner: nil)) }
    let commits = store.commits.values()
    proxy.open()
    for await commit in commits where commit.isExternal { break }
    await store.flush()
    #expect(model.fetchedObjects.map(\.id) == shown + [99])
    try store.commit { try $0.delete(Car.self, 99) }
    #expect(try there.fetch(Query<Car>()).map(\.id) == shown)
  }

  @Test func `P5: a merge whose connection is lost is made again, and lists show all of it`()
    async throws
  {
    let place = try TestServer.place()
    let proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    defer { proxy.end() }
    let here = try open(proxy.connectionString, place.schema)
    let there = try open(place.connectionString, place.schema)
    let list = try IndexedObjectsModel(Query<Car>(), in: here)
    for parcel in 0..<12 {
      proxy.fail(.cutAtOnce, after: parcel)
      try there.commit { try $0.insert(Car(id: parcel, model: "car", year: 0, owner: nil)) }
      let version = Int64(parcel + 1)
      #expect(await becomesTrue { here.mergedVersion >= version })
      #expect(await becomesTrue { list.count == parcel + 1 })
    }
    #expect(proxy.faults[.cutAtOnce, default: 0] > 0)
  }

  @Test func `S1: a commit whose connection is lost before its end is sent isn't in doubt`()
    async throws
  {
    let place = try TestServer.place()
    let proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    defer { proxy.end() }
    let store = try open(proxy.connectionString, place.schema)
    try store.fillGarage()
    let cuts = AtomicWord(0)
    // It reads the commit's transaction, which has been written, before COMMIT is sent.
    let years: ObservedValue<[Int]> = try ObservedValue(in: store) { reader in
      if cuts.exchange(0) == 1 { proxy.close() }
      return try reader.fetch(Query<Car>()).map(\.year)
    }
    cuts.store(1)
    let error = #expect(throws: StoreError.self) {
      try store.commit { try $0.update(Car.self, 1) { $0.year = 7 } }
    }
    #expect(cuts.load() == 0)
    guard case .storage(let fault)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(fault.kind == .inputOutput)
    proxy.open()
    try store.commit { try $0.update(Car.self, 2) { $0.year = 8 } }
    await store.flush()
    #expect(Set(years.value) == [1994, 8, 2014, 2018])
  }

  @Test func `P5: a version that is made again while the server is away is noticed`() async throws {
    let place = try TestServer.place()
    let proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    defer { proxy.end() }
    let store = try open(proxy.connectionString, place.schema)
    let there = try open(place.connectionString, place.schema)
    try there.fillGarage()
    // It has seen the version, and hasn't made it.
    #expect(await becomesTrue { store.mergedVersion == 1 })
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    proxy.close()
    #expect(
      Tool.run(
        place.connectionString, "SET search_path TO \"\(place.schema)\"",
        """
        BEGIN; SET LOCAL signalbox.writer = 'store'; UPDATE "Car" SET model = 'left';
        UPDATE signalbox_log SET token = 4711, changes = NULL WHERE version = 1; COMMIT
        """))
    proxy.open()
    #expect(
      await becomesTrue {
        Set(model.fetchedObjects.map(\.model)) == ["left"]
      })
  }

  @Test func `S1: beside ended back ends, returned commits of eight writers are there once`()
    throws
  {
    // A server of its own, so that other tests keep their connections.
    let server = try TestServer(settings: ["fsync=off"])
    defer { server.stop() }
    let place = (connectionString: server.connectionString, schema: "killed")
    let admin = try open(place.connectionString, place.schema)
    try admin.commit { try $0.insert(Car(id: -1, model: "counter", year: 0, owner: nil)) }
    let returned = Locked(Set<Int>())
    let unknown = Log<Int>()
    let count = rounds(160)
    let isOver = AtomicWord(0)
    let killer = TestThread {
      var random = SeededGenerator(number: 3)
      while isOver.load() == 0 {
        Tool.run(
          place.connectionString,
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'signalbox'
          ORDER BY random() LIMIT 1
          """)
        Thread.sleep(forTimeInterval: Double.random(in: 0...0.02, using: &random))
      }
    }
    onThreads(8) { writer in
      for turn in 0..<count / 8 {
        let id = writer * 10_000 + turn
        for _ in 0..<200 {
          do {
            let store = try open(place.connectionString, place.schema)
            try store.commit { draft in
              try draft.insert(Car(id: id, model: "car", year: 0, owner: nil))
              try draft.update(Car.self, -1) { $0.year += 1 }
            }
            returned.withLock { _ = $0.insert(id) }
            break
          } catch StoreError.outcomeUnknown {
            // On a slow machine nobody may have answered in time.
            unknown.note(id)
            break
          } catch {}
        }
      }
    }
    isOver.store(1)
    killer.join()
    let store = try open(place.connectionString, place.schema)
    let there = try store.fetch(Query<Car>().filter { $0.id >= 0 }).map(\.id)
    let kept = returned.withLock { $0 }
    #expect(!kept.isEmpty && kept.isSubset(of: there))
    #expect(Set(there).isSubset(of: kept.union(unknown.entries)))
    #expect(try store.find(Car.self, -1)?.year == there.count)
    let version = try store.version
    #expect(version == Int64(there.count) + 1)
  }

  @Test(arguments: [ServerDurability.full, .normal])
  func `P1: a server that crashes keeps what has returned, or takes back the end of it`(
    _ durability: ServerDurability
  ) async throws {
    let server = try TestServer(settings: ["fsync=on", "wal_writer_delay=10s"])
    defer { server.stop() }
    func store() throws -> Store {
      try Store(
        .postgreSQL(
          server.connectionString, schema: "crashed", durability: durability, waiting: patience),
        entities: [Person.self, Car.self])
    }
    var newest = try store()
    var model = try FetchedObjectsModel(Query<Car>(), in: newest)
    var expected: Set<Int> = []
    let unknown = Log<Int>()
    for crash in 0..<max(2, rounds(20)) {
      let shared = newest
      let unknownBefore = unknown.entries.count
      let isOver = AtomicWord(0)
      let returned = Locked<[Int]>([])
      let breaker = TestThread {
        expectTrue(becomesTrueBlocking { returned.withLock { !$0.isEmpty } })
        Thread.sleep(forTimeInterval: 0.2)
        do { try server.run(crash % 2 == 0 ? .crash : .kill) } catch { Issue.record(error) }
        isOver.store(1)
      }
      onThreads(8) { writer in
        var turn = 0
        while isOver.load() == 0 {
          let id = (crash * 8 + writer) * 100_000 + turn
          turn += 1
          do {
            try shared.commit { try $0.insert(Car(id: id, model: "car", year: 0, owner: nil)) }
            returned.withLock { $0.append(id) }
          } catch StoreError.outcomeUnknown {
            // On a slow machine a server may be away for too long. The store refuses commits now.
            unknown.note(id)
            return
          } catch {}
        }
      }
      breaker.join()
      let here = try store()
      let now = Set(try here.fetch(Query<Car>()).map(\.id))
      let (all, perhaps) = (returned.withLock { $0 }, unknown.entries)
      #expect(!all.isEmpty)
      expected.formUnion(all)
      // With `.normal` it takes back a tail: what is there was committed, in order, without a gap.
      if durability == .full { #expect(expected.isSubset(of: now)) }
      #expect(now.isSubset(of: expected.union(perhaps)), "a commit that threw is there")
      expected = now.subtracting(perhaps)
      let versions = Int(try here.version)
      #expect(versions >= now.count)
      // Models read again, and show what is there.
      try await shared.catchUp()
      #expect(Set(model.fetchedObjects.map(\.id)) == now)
      if perhaps.count > unknownBefore {
        newest = try store()
        model = try FetchedObjectsModel(Query<Car>(), in: newest)
      }
    }
  }
}
#endif
