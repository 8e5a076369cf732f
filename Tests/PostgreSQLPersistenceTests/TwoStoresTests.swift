#if PostgreSQL
@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Locking
@_spi(Storage) import PostgreSQLPersistence
import Relays
import SQLitePersistence
import TestSupport
import Testing

@Suite struct TwoStoresTests {
  private func open(
    _ place: (connectionString: String, schema: String), _ entities: [any Entity.Type]
  ) throws -> Store {
    try Store(
      .postgreSQL(
        place.connectionString, schema: place.schema, durability: .normal, waiting: patience),
      entities: entities)
  }

  @Test func `S4: ids continue in a copy, whichever store has given them`() throws {
    let place = try TestServer.place()
    do {
      let store = try open(place, [Person.self, Car.self])
      for _ in 1...3 { _ = try store.commit { try $0.nextID(Car.self) } }
    }
    let copy = temporaryPath("copy")
    try open(place, [Person.self, Car.self]).backUp(to: copy)
    let opened = try Store(.sqlite(path: copy), entities: [Person.self, Car.self])
    #expect(try opened.commit { try $0.nextID(Car.self) } == 4)
  }

  @Test func `P5: a commit of another store is an exact event here`() async throws {
    let place = try TestServer.place()
    let here = try open(place, [Person.self, Car.self])
    try here.fillGarage()
    let there = try open(place, [Person.self, Car.self])
    let cars = try FetchedObjectsModel(
      Query<Car>().sorted { [$0.model.ascending] }, in: here)
    let events = Recorder(cars.didChange)
    try there.commit { draft in
      try draft.insert(Car(id: 9, model: "Audi", year: 2020, owner: nil))
      try draft.update(Car.self, 1) { $0.model = "Zastava" }
      try draft.delete(Car.self, 2)
    }
    try await here.catchUp()
    #expect(cars.fetchedObjects.map(\.model) == ["Audi", "Skoda", "Tesla", "Zastava"])
    #expect(events.values.count == 1)
    #expect(
      try here.fetch(Query<Car>()).map(\.model) == there.fetch(Query<Car>()).map(\.model))
  }

  @Test func `P5: a store hears of another one's commit by itself`() async throws {
    let place = try TestServer.place()
    let here = try open(place, [Person.self, Car.self])
    let there = try open(place, [Person.self, Car.self])
    for id in 0..<5 {
      let commits = here.commits.values()
      try there.commit { try $0.insert(Car(id: id, model: "\(id)", year: id, owner: nil)) }
      for await commit in commits {
        if try here.find(Car.self, id) != nil, commit.isExternal { break }
      }
    }
    #expect(try here.count(Query<Car>()) == 5)
  }

  @Test func `S1: two stores that commit at once have one order of versions`() throws {
    let place = try TestServer.place()
    let stores = try (0..<4).map { _ in try open(place, [Person.self, Car.self]) }
    try stores[0].commit { try $0.insert(Car(id: 1, model: "counter", year: 0, owner: nil)) }
    let rounds = 50
    // Threads, since tasks may all run on one.
    onThreads(4) { writer in
      do {
        for _ in 0..<rounds {
          try stores[writer].commit { try $0.update(Car.self, 1) { $0.year += 1 } }
        }
      } catch { Issue.record(error) }
    }
    #expect(try stores[1].find(Car.self, 1)?.year == 4 * rounds)
    for store in stores { try store.refresh() }
    for store in stores { #expect(try store.version == Int64(4 * rounds + 1)) }
  }

  @Test func `P1: what a store has committed is there when it is opened again`() throws {
    let place = try TestServer.place()
    do { try open(place, [Person.self, Car.self]).fillGarage() }
    let again = try open(place, [Person.self, Car.self])
    #expect(try again.count(Query<Car>()) == 4)
    #expect(try again.find(Person.self, 1)?.name == "Ann")
  }

  @Test func `A role with the rights that the guide lists opens, reads and writes`() throws {
    let place = try TestServer.place()
    try open(place, [Person.self, Car.self, Token.self]).fillGarage()
    let (role, schema) = ("\"role of \(place.schema)\"", "\"\(place.schema)\"")
    let isMade = Tool.run(
      place.connectionString, "CREATE ROLE \(role) LOGIN",
      "GRANT USAGE ON SCHEMA \(schema) TO \(role)",
      "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(role)")
    #expect(isMade)
    let limited = try Store(
      .postgreSQL(
        "\(place.connectionString) user='role of \(place.schema)'", schema: place.schema),
      entities: [Person.self, Car.self, Token.self])
    try limited.commit { draft in
      try draft.delete(Car.self, 1)
      try draft.insert(Token(id: [1], number: 1))
    }
    #expect(try limited.find(Token.self, [1])?.number == 1)
    #expect(try limited.count(Query<Car>()) == 3)
    #expect(
      !Tool.run(
        "\(place.connectionString) user='role of \(place.schema)'",
        "SELECT \(schema).signalbox_tool_version()"))
  }

  private struct Token: Entity {
    let id: [UInt8]
    var number: Int
    static let attributes = Attributes(.id(\Token.id), .attribute("number", \.number))
    static let schema = Schema(attributes, Token.init)
  }

  @Test func `Ids that are bytes are inserted one by one, and found`() throws {
    let store = try open(TestServer.place(), [Token.self])
    try store.commit { draft in
      for number in 0..<20 { try draft.insert(Token(id: [UInt8(number), 0, 255], number: number)) }
      for number in 20..<30 { _ = try draft.find(Token.self, [UInt8(number)]) }
    }
    #expect(try store.find(Token.self, [7, 0, 255])?.number == 7)
    #expect(try store.count(Query<Token>()) == 20)
  }

  @Test func `Reads use no more connections than allowed, and wait for one`() throws {
    let place = try TestServer.place()
    func storage(waiting: Duration) -> PostgreSQLStorage {
      PostgreSQLStorage(
        place.connectionString, schema: place.schema, durability: .normal, waiting: waiting,
        readers: 3)
    }
    let patient = storage(waiting: patience)
    let store = try Store(.custom { patient }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let most = Locked(0)
    onThreads(12) { _ in
      for _ in 0..<30 {
        do {
          try store.read { reader in
            let inUse = patient.readersInUse
            most.withLock { $0 = max($0, inUse) }
            let count = try reader.count(Query<Car>())
            #expect(count == 4)
          }
        } catch { Issue.record(error) }
      }
    }
    // One more may still merge what the store has just committed.
    #expect((1...4).contains(most.withLock { $0 }))
    expectTrue(becomesTrueBlocking { patient.readersInUse == 0 })
    // Another thread waits for no longer than it should; a read inside of a read doesn't wait.
    let hasty = storage(waiting: .milliseconds(50))
    let other = try Store(.custom { hasty }, entities: [Person.self, Car.self])
    func nest(_ depth: Int) throws {
      try other.read { reader in
        _ = try reader.count(Query<Car>())
        if depth > 1 { return try nest(depth - 1) }
        let late = Locked<StorageFault?>(nil)
        TestThread {
          do { _ = try other.count(Query<Car>()) } catch StoreError.storage(let fault) {
            late.withLock { $0 = fault }
          } catch { Issue.record(error) }
        }.join()
        let fault = late.withLock { $0 }
        #expect(fault?.kind == .busy)
        #expect(fault?.message.contains("All 3 connections") ?? false)
      }
    }
    try nest(5)
    #expect(hasty.readersInUse == 0)
    #expect(try other.count(Query<Car>()) == 4)
  }

  @Test func `S1: a commit waits for no read, also if it has to merge first`() throws {
    let place = try TestServer.place()
    let there = try open(place, [Person.self, Car.self])
    let storage = PostgreSQLStorage(
      place.connectionString, schema: place.schema, durability: .normal, readers: 1)
    let here = try Store(.custom { storage }, entities: [Person.self, Car.self])
    let mayEnd = AtomicWord(0)
    let reader = TestThread {
      do {
        try here.read { reader in
          _ = try reader.count(Query<Car>())
          expectTrue(becomesTrueBlocking { mayEnd.load() == 1 })
        }
      } catch { Issue.record(error) }
    }
    defer {
      mayEnd.store(1)
      reader.join()
    }
    // The only connection is in use now.
    expectTrue(becomesTrueBlocking { storage.readersInUse == 1 })
    try there.commit { try $0.insert(Car(id: 1, model: "there", year: 1, owner: nil)) }
    // A read would wait for ten seconds, and throw.
    try here.refresh()
    try here.commit { try $0.insert(Car(id: 2, model: "here", year: 2, owner: nil)) }
    #expect(try there.count(Query<Car>()) == 2)
  }

  /// Reads on another thread until `mayEnd` is 1, and returns once a connection is in use for it.
  private func startReading(_ store: Store, until mayEnd: Counter) -> TestThread {
    let isReading = Counter()
    let reader = TestThread {
      do {
        try store.read { _ in
          isReading.set(1)
          expectTrue(becomesTrueBlocking { mayEnd.value == 1 })
        }
      } catch { Issue.record(error) }
    }
    expectTrue(becomesTrueBlocking { isReading.value == 1 })
    return reader
  }

  @Test func `S1: a commit waits for no read, also if an object is observed meanwhile`() throws {
    let place = try TestServer.place()
    // The creation of a schema may wait for other tests.
    _ = try open(place, [Person.self, Car.self])
    let storage = PostgreSQLStorage(
      place.connectionString, schema: place.schema, durability: .normal, readers: 1)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    let mayEnd = Counter()
    let reader = startReading(store, until: mayEnd)
    defer {
      mayEnd.set(1)
      reader.join()
    }
    let observed = Locked<ObservedEntity<Car>?>(nil)
    let observer = TestThread {
      do {
        // A read would wait for ten seconds, and throw, and the commit would wait for it.
        let car = try ObservedEntity<Car>(awaiting: 1, in: store)
        observed.withLock { $0 = car }
      } catch { Issue.record(error) }
    }
    try store.commit { try $0.insert(Car(id: 1, model: "here", year: 1, owner: nil)) }
    observer.join()
    let car = observed.withLock { $0 }
    #expect(car?.viewIfKnown?.model == "here")
  }

  @Test func `S1: a body reads without waiting, also after an object is observed in it`() throws {
    let place = try TestServer.place()
    // The creation of a schema may wait for other tests.
    _ = try open(place, [Person.self, Car.self])
    let storage = PostgreSQLStorage(
      place.connectionString, schema: place.schema, durability: .normal, readers: 1)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    let mayEnd = Counter()
    let reader = startReading(store, until: mayEnd)
    defer {
      mayEnd.set(1)
      reader.join()
    }
    try store.commit { draft in
      let car = try ObservedEntity<Car>(awaiting: 1, in: store)
      // It would wait for ten seconds, and throw.
      expectTrue(try store.fetch(Query<Car>()).isEmpty)
      try draft.insert(Car(id: 1, model: "here", year: 1, owner: nil))
      withExtendedLifetime(car) {}
    }
  }

  private struct Alarm: Entity {
    let id: Int
    /// The seconds since 1970.
    var rings: Double
    static let attributes = Attributes(.id(\Alarm.id), .attribute("rings", \.rings))
    static let schema = Schema(attributes, Alarm.init)
  }

  @Test func `F17: time passes for models while all connections for reads are in use`() async throws
  {
    let place = try TestServer.place()
    // The creation of a schema may wait for other tests.
    _ = try open(place, [Alarm.self])
    let storage = PostgreSQLStorage(
      place.connectionString, schema: place.schema, durability: .normal, readers: 1)
    let now = Locked(100.0)
    let time = TimeSource {
      now.withLock { $0 }
    } sleep: { _ in
      try await Task.sleep(for: .seconds(1_000_000))
    }
    let store = try Store(.custom { storage }, entities: [Alarm.self], time: time)
    try store.commit { try $0.insert(Alarm(id: 1, rings: 200)) }
    let model = try FetchedObjectsModel(
      Query<Alarm>().filter { $0.rings.compared(.lessOrEqual, .now) }, in: store)
    #expect(model.fetchedObjects.isEmpty)
    let mayEnd = Counter()
    let reader = startReading(store, until: mayEnd)
    defer {
      mayEnd.set(1)
      reader.join()
    }
    now.withLock { $0 = 300 }
    // A read would wait for ten seconds, and throw, and commits would wait for it.
    await store.clockHasChanged()
    await store.flush()
    #expect(model.fetchedObjects.map(\.id) == [1] && model.error == nil)
  }

  @Test func `S6: a text with U+0000 is refused by name, and the object is unchanged`() throws {
    let store = try open(TestServer.place(), [Person.self, Car.self])
    try store.commit { try $0.insert(Car(id: 1, model: "ab", year: 1, owner: nil)) }
    let refused = StoreError.checkFailed(
      ObjectID(Car.self, 1), check: "Car.model has no character U+0000")
    #expect(throws: refused) {
      try store.commit { try $0.update(Car.self, 1) { $0.model = "a\0b" } }
    }
    #expect(try store.find(Car.self, 1)?.model == "ab")
    #expect(try store.version == 1)
  }

  @Test func `A text with U+0000 is refused with its attribute, and nothing is committed`() throws {
    let store = try open(TestServer.place(), [Person.self, Car.self])
    let error = #expect(throws: StoreError.self) {
      try store.commit { try $0.insert(Car(id: 1, model: "a\0b", year: 1, owner: nil)) }
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("Car.model"))
    #expect(try store.count(Query<Car>()) == 0)
    try store.commit { try $0.insert(Car(id: 1, model: "ab", year: 1, owner: nil)) }
  }

  @Test func `A password isn't told, nor is a string that can't be parsed`() {
    for string in ["postgresql://app:secret@", "host=/nowhere password=secret", "secret"] {
      let error = #expect(throws: StoreError.self) {
        try Store(.postgreSQL(string), entities: [Car.self, Person.self])
      }
      #expect(!"\(error.map { "\($0)" } ?? "secret")".contains("secret"))
    }
  }
}
#endif
