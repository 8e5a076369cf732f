#if PostgreSQL
@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import ListDiffing
@_spi(Storage) import PostgreSQLPersistence
import Relays
import TestSupport
import Testing

private func texts(_ cars: [Car]) -> [String] {
  cars.map { "\($0.id) \($0.model) \($0.year) \($0.owner?.id ?? -1)" }
}

@Suite struct ToolTests {
  @Test func `P5: a tool's row is exact after the parts of an id have changed their order`()
    async throws
  {
    let place = try ToolPlace()
    _ = try place.open([Halt.self])
    let store = try place.open([TurnedHalt.self])
    let commits = Recorder(store.commits)
    #expect(place.psql(#"INSERT INTO "Halt" (train, number, name) VALUES (1, 2, 'x')"#))
    try await store.catchUp()
    #expect(commits.values.map(\.isComplete) == [true])
    #expect(
      commits.values.first?.objectIDs
        == [ObjectID(TurnedHalt.self, .init(number: 2, train: 1))])
  }

  @Test func `P5: what a tool writes is an exact event, one for its transaction`() async throws {
    let place = try ToolPlace()
    let store = try place.open()
    try store.fillGarage()
    let model = try FetchedObjectsModel(Query<Car>().sorted { [$0.model.ascending] }, in: store)
    let events = Recorder(model.didChange)
    let commits = Recorder(store.commits)
    let changes = Recorder(store.changes(of: Car.self))
    let version = try store.version
    #expect(
      place.psql(
        """
        BEGIN; INSERT INTO "Car" (id, model, year, owner) VALUES (7, 'Zoe ''x'' \\ é', 1, NULL);
        UPDATE "Car" SET model = 'Abarth' WHERE id = 1; UPDATE "Car" SET model = 'Alfa' WHERE id = 1;
        DELETE FROM "Car" WHERE id = 2; SAVEPOINT a; DELETE FROM "Car"; ROLLBACK TO a;
        INSERT INTO "Car" (id, model, year, owner) VALUES (8, 'gone', 1, NULL);
        DELETE FROM "Car" WHERE id = 8; COMMIT
        """))
    try await store.catchUp()
    #expect(try store.version == version + 1)
    #expect(try texts(Array(model.fetchedObjects)) == texts(store.fetch(model.query)))
    #expect(model.fetchedObjects.map(\.model).contains("Zoe 'x' \\ é"))
    #expect(events.values.count == 1)
    let commit = try #require(commits.values.first)
    #expect(commits.values.count == 1 && commit.isExternal && commit.isComplete)
    #expect(changes.values.count == 1)
    #expect(changes.values[0].inserted.map(\.id) == [7])
    #expect(changes.values[0].deleted.map(\.id) == [2])
    #expect(changes.values[0].updated.map(\.new.id) == [1])
    // What is rolled back makes no version.
    #expect(place.psql(#"BEGIN; DELETE FROM "Car"; ROLLBACK"#))
    #expect(try store.version == version + 1)
  }

  @Test func `P5: TRUNCATE and a bulk COPY make models read again, with exact differences`()
    async throws
  {
    let place = try ToolPlace()
    let store = try place.open()
    try store.fillGarage()
    let model = try FetchedObjectsModel(Query<Car>().sorted { [$0.model.ascending] }, in: store)
    for sql in [
      """
      BEGIN; SET LOCAL signalbox.writer = 'bulk';
      INSERT INTO "Car" (id, model, year, owner) SELECT n, 'bulk ' || n, n, NULL FROM generate_series(10, 20) n;
      COMMIT
      """, #"TRUNCATE "Car""#,
      // A table is filled again in the same transaction.
      """
      BEGIN; TRUNCATE "Car"; INSERT INTO "Car" (id, model, year, owner) VALUES (1, 'new', 1, NULL), (30, 'c', 2, NULL);
      COMMIT
      """, #"UPDATE "Person" SET name = name || '!'"#,
    ] {
      let commits = Recorder(store.commits)
      let events = Recorder(model.didChange)
      let before = texts(Array(model.fetchedObjects))
      #expect(place.psql(sql))
      try await store.catchUp()
      let now = texts(try store.fetch(model.query))
      #expect(texts(Array(model.fetchedObjects)) == now)
      #expect(commits.values.count == 1)
      #expect(commits.values[0].isComplete == sql.contains("Person"))
      #expect(events.values.count == (before == now ? 0 : 1))
    }
  }

  @Test func `S5: a read that has begun doesn't find a table empty that a tool truncates`() throws {
    let place = try ToolPlace()
    let store = try place.open()
    try store.fillGarage()
    let other = try Tool(place.connectionString, schema: place.schema)
    let hasEnded = Counter()
    var tool: TestThread?
    try store.read { reader in
      // It has a version now, and hasn't looked at the cars.
      expectEqual(try reader.count(Query<Person>()), 2)
      tool = TestThread {
        place.psql(#"TRUNCATE "Car""#)
        hasEnded.set(1)
      }
      expectTrue(
        becomesTrueBlocking {
          let waiting = other.run(
            """
            SELECT count(*) FROM pg_locks
            WHERE NOT granted AND relation = 'signalbox_metadata'::regclass
            """)
          return hasEnded.value == 1 || waiting != ["0"]
        })
      // The server ends one of the two, since each waits for the other.
      let count = try? reader.count(Query<Car>())
      expectTrue(count == nil || count == 4)
    }
    tool?.join()
    #expect(place.psql(#"TRUNCATE "Car""#))
    try store.refresh()
    #expect(try store.count(Query<Car>()) == 0)
  }

  private struct Gauge: Entity {
    let id: Int
    var level: Double
    static let attributes = Attributes(.id(\Gauge.id), .attribute("level", \.level))
    static let schema = Schema(attributes, Gauge.init)
  }

  @Test func `S8: a tool's NaN is unreadable until it is corrected`() throws {
    let place = try ToolPlace()
    let store = try place.open([Gauge.self])
    #expect(place.psql(#"INSERT INTO "Gauge" (id, level) VALUES (1, 'NaN'), (2, 'NaN')"#))
    let query = Query<Gauge>().sorted { [$0.level.ascending] }
    #expect(throws: StoreError.self) { _ = try store.find(Gauge.self, 1) }
    #expect(throws: StoreError.self) { _ = try FetchedObjectsModel(query, in: store) }
    #expect(throws: StoreError.self) { _ = try store.max(of: query) { $0.level } }
    // Other objects can be written meanwhile.
    try store.commit { try $0.insert(Gauge(id: 3, level: 1)) }
    #expect(try store.find(Gauge.self, 3)?.level == 1)
    #expect(place.psql(#"UPDATE "Gauge" SET level = id"#))
    try store.refresh()
    #expect(try store.find(Gauge.self, 2)?.level == 2)
    let model = try FetchedObjectsModel(query, in: store)
    #expect(model.fetchedObjects.map(\.level) == [1, 2, 3])
  }

  private struct Tagged: Entity {
    let id: String
    var label: String
    static let attributes = Attributes(.id(\Tagged.id), .attribute("label", \.label))
    static let schema = Schema(attributes, Tagged.init)
  }

  @Test func `P5, F7: an object to which a tool gives another row isn't shown in that row's place`()
    async throws
  {
    let place = try ToolPlace()
    let store = try place.open([Tagged.self])
    try store.commit { draft in
      try draft.insert(Tagged(id: "a", label: "A"))
      try draft.insert(Tagged(id: "b", label: "B"))
    }
    let model = try IndexedObjectsModel(
      Query<Tagged>().sorted { [$0.id.ascending] }, in: store, cacheCapacity: 0)
    model.pause()
    #expect(
      place.psql(
        """
        BEGIN; DELETE FROM "Tagged" WHERE id = 'a';
        UPDATE "Tagged" SET id = 'a' WHERE id = 'b'; COMMIT
        """))
    try await store.catchUp()
    let second = try model.id(at: ListPath(section: 0, row: 1))
    #expect(second == nil || second == "b")
    model.resume()
    #expect(model.count == 1)
    #expect(try model.id(at: ListPath(section: 0, row: 0)) == "a")
  }

  @Test func `P5: a bulk load is noticed by a store that has never committed`() async throws {
    let place = try ToolPlace()
    let store = try place.open()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    #expect(
      place.psql(
        """
        BEGIN; SET LOCAL signalbox.writer = 'bulk';
        INSERT INTO "Car" (id, model, year, owner) SELECT n, 'bulk', n, NULL FROM generate_series(1, 9) n;
        COMMIT
        """))
    try await store.catchUp()
    #expect(model.fetchedObjects.map(\.id) == Array(1...9))
  }

  @Test func `P5: tools and stores write at random, and each store follows exactly`() async throws {
    let place = try ToolPlace()
    let tool = try Tool(place.connectionString, schema: place.schema)
    let stores = try (0..<2).map { _ in try place.open() }
    let query = Query<Car>().sorted { [$0.year.ascending, $0.model.descending] }
    let models = try stores.map { try FetchedObjectsModel(query, in: $0) }
    let events = models.map { Recorder($0.didChange) }
    // Lists that are changed only by events.
    var copies = models.map { Array($0.fetchedObjects) }
    var taken = [0, 0]
    var random = SeededGenerator(number: 7)
    var hasCopied = false
    for _ in 0..<rounds(600) {
      let id = Int.random(in: 0..<12, using: &random)
      let year = Int.random(in: 0..<4, using: &random)
      switch Int.random(in: 0..<11, using: &random) {
      case 0...2:
        try stores[id % 2].commit {
          try $0.upsert(Car(id: id, model: "m\(year)", year: year, owner: nil))
        }
      case 3:
        try stores[id % 2].commit { draft in
          if try draft.find(Car.self, id) != nil { try draft.delete(Car.self, id) }
        }
      case 4: tool.run(#"DELETE FROM "Car" WHERE year = \#(year)"#)
      case 5: tool.run(#"UPDATE "Car" SET id = 100 - id, year = \#(year) WHERE id = \#(id)"#)
      case 6:
        tool.run(
          """
          BEGIN ISOLATION LEVEL REPEATABLE READ;
          INSERT INTO "Car" (id, model, year, owner) VALUES (\(id), 'p\(year)', \(year), NULL)
            ON CONFLICT (id) DO UPDATE SET model = excluded.model, year = excluded.year; COMMIT
          """)
      case 7:
        // One of the rows may be there: the whole copy fails then. (Not from psql's input: rarely,
        // psql takes the next command for a row of the copy, and waits for the rest.)
        tool.run(
          #"""
          COPY "Car" (id, model, year, owner) FROM PROGRAM
            'printf "%s\tcopied\t\#(year)\t%s\n" \#(id + 20) "\N" \#(id + 40) "\N"'
          """#)
        let copied = tool.run(#"SELECT count(*) FROM "Car" WHERE model LIKE 'copied%'"#)
        if let count = copied.first.flatMap(Int.init), count > 0 { hasCopied = true }
      case 8:
        tool.run(
          """
          BEGIN; SAVEPOINT a; DELETE FROM "Car" WHERE id < \(id); ROLLBACK TO a;
          UPDATE "Car" SET year = year + 1 WHERE id = \(id); RELEASE a;
          DELETE FROM "Car" WHERE id > \(20 + id); \(year == 0 ? "ROLLBACK" : "COMMIT")
          """)
      case 9 where id == 0 && year == 0: tool.run(#"TRUNCATE "Car""#)
      default: tool.run(#"UPDATE "Car" SET model = model || '.' WHERE id % 3 = \#(id % 3)"#)
      }
      guard id % 3 == 0 else { continue }
      for place in stores.indices {
        try await stores[place].catchUp()
        for event in events[place].values.dropFirst(taken[place]) {
          #expect(texts(copies[place]) == texts(Array(event.before.objects)))
          event.changes.apply(to: &copies[place]) { event.after[$0].value }
          taken[place] += 1
        }
        let now = texts(try stores[place].fetch(query))
        #expect(texts(Array(models[place].fetchedObjects)) == now)
        #expect(texts(copies[place]) == now)
      }
    }
    #expect(hasCopied)
    let versions = try stores.map { try $0.version }
    #expect(versions[0] == versions[1])
  }

  @Test func `S1: a tool that waits for the lock with a locked row deadlocks with nobody`()
    async throws
  {
    let place = try ToolPlace()
    let store = try place.open()
    try store.fillGarage()
    // It reads the owner while a commit is prepared, which sends the commit's writes.
    let model = try FetchedObjectsModel(
      Query<Car>().sorted { [$0.owner.name.descending, $0.id.ascending] }, in: store)
    let clock = ContinuousClock()
    // The last time at which the tool hadn't locked its row. Later it sleeps for two seconds.
    var free = clock.now
    var isLocked = false
    let hasEnded = Counter()
    // It locks a row, and wants the writers' lock when it ends. On a slow machine, the server would
    // take a store that gives way late for a deadlock.
    let tool = TestThread {
      place.psql(
        """
        BEGIN; SET LOCAL deadlock_timeout = '1min'; UPDATE "Car" SET year = 1 WHERE id = 1;
        SELECT pg_sleep(2); COMMIT
        """)
      hasEnded.set(1)
    }
    expectTrue(
      becomesTrueBlocking {
        let now = clock.now
        isLocked = !place.psql(#"SELECT 1 FROM "Car" WHERE id = 1 FOR UPDATE NOWAIT"#)
        if !isLocked { free = now }
        return isLocked || hasEnded.value == 1
      })
    var (runs, isAsleep) = (0, false)
    try store.commit { draft in
      runs += 1
      // The commit has the writers' lock now.
      if runs == 1 { isAsleep = isLocked && clock.now - free < .seconds(2) }
      try draft.update(Car.self, 1) {
        $0.model = "mine"
        $0.owner = Ref(2)
      }
    }
    tool.join()
    // On a slow machine the tool may have ended before the commit began.
    #expect(runs > 1 || !isAsleep)
    try await store.catchUp()
    let car = try store.find(Car.self, 1)
    #expect(car?.year == 1 && car?.model == "mine")
    #expect(texts(Array(model.fetchedObjects)) == texts(try store.fetch(model.query)))
  }

  @Test(arguments: [false, true])
  func `S1: a body runs again if a tool is in the way of a read in it`(_ goesOn: Bool) throws {
    let place = try ToolPlace()
    let store = try place.open()
    try store.fillGarage()
    let tool = try Tool(place.connectionString, schema: place.schema)
    tool.run(#"BEGIN; LOCK TABLE "Car" IN ACCESS EXCLUSIVE MODE"#)
    var runs = 0
    try store.commit { draft in
      runs += 1
      if runs == 2 { tool.run("ROLLBACK") }
      // The server refuses all reads after this one, whatever they read.
      if goesOn { _ = try? draft.find(Car.self, 1) }
      if goesOn { _ = try draft.find(Person.self, 1) }
      try draft.update(Car.self, 1) { $0.year = 7 }
    }
    #expect(runs == 2)
    #expect(try store.find(Car.self, 1)?.year == 7)
  }

  @Test func `S1: whichever the server picks in a deadlock, tool or store, nothing is half done`()
    throws
  {
    // The server looks for deadlocks before the store gives way.
    let server = try TestServer(settings: ["fsync=off", "deadlock_timeout=20ms"])
    defer { server.stop() }
    let store = try Store(
      .postgreSQL(
        server.connectionString, durability: .normal, waiting: patience, attempts: 100),
      entities: [Person.self, Car.self])
    for id in 0..<4 {
      try store.commit { try $0.insert(Car(id: id, model: "m", year: 0, owner: nil)) }
    }
    let turns = rounds(100)
    let (ran, kept) = (Counter(), Counter())
    let tool = TestThread {
      do {
        let psql = try Tool(server.connectionString, schema: "signalbox")
        for turn in 0..<turns {
          let (a, b) = turn % 2 == 0 ? (0, 1) : (1, 0)
          // It locks rows, and wants the writers' lock when it ends.
          psql.run(
            """
            BEGIN; UPDATE "Car" SET year = year + 1 WHERE id = \(a); SELECT pg_sleep(0.01);
            UPDATE "Car" SET year = year + 1 WHERE id = \(b); COMMIT
            """)
        }
        let sums = psql.run(#"SELECT sum(year) FROM "Car""#)
        kept.set(Int(sums.first ?? "") ?? -1)
      } catch { Issue.record(error) }
    }
    var bodies = 0
    for turn in 0..<turns {
      try store.commit { draft in
        bodies += 1
        for id in turn % 2 == 0 ? [0, 1, 2] : [2, 1, 0] {
          try draft.update(Car.self, id) { $0.model = "turn \(turn)" }
        }
      }
      ran.add()
    }
    tool.join()
    try store.refresh()
    let cars = try store.fetch(Query<Car>().filter { $0.id < 3 })
    #expect(cars.allSatisfy { $0.model == "turn \(turns - 1)" })
    // Each transaction of the tool has changed both rows, or none.
    let years = try [0, 1].map { try store.find(Car.self, $0)?.year ?? -1 }
    #expect(years[0] == years[1] && years[0] + years[1] == kept.value)
    #expect(ran.value == turns && bodies >= turns)
  }
}
#endif
