#if PostgreSQL
@_spi(Storage) @testable import EntityStore
import FetchedObjects
import Fixtures
@_spi(Storage) @testable import PostgreSQLPersistence
import TestSupport
import Testing

/// Something with bytes of any number.
private struct Blob: Entity {
  let id: Int
  var bytes: [UInt8]
  static let attributes = Attributes(.id(\Blob.id), .attribute("bytes", \.bytes))
  static let schema = Schema(attributes, Blob.init)
}

private struct Word: Entity {
  let id: String
  static let attributes = Attributes(.id(\Word.id))
  static let schema = Schema(attributes, Word.init)
}

private struct Ticket: Entity {
  let id: Int
  var code: String?
  var seat: Int
  static let attributes = Attributes(
    .id(\Ticket.id), .attribute("code", \.code), .attribute("seat", \.seat))
  static let schema = Schema(attributes, Ticket.init, rules: [.unique(\.code)])
}

private struct Letter: Entity {
  let id: Int
  var subject: String
  var text: String
  static let attributes = Attributes(
    .id(\Letter.id), .attribute("subject", \.subject), .attribute("text", \.text))
  static let schema = Schema(attributes, Letter.init)
}

/// Changes of many objects, and of large ones.
@Suite struct LargeChangeTests {
  private func open(_ connectionString: String, _ schema: String, waiting: Duration = patience)
    throws -> Store
  {
    try Store(
      .postgreSQL(connectionString, schema: schema, durability: .normal, waiting: waiting),
      entities: [Person.self, Car.self])
  }

  @Test func `S6: a value or an object that no server can hold is refused`() throws {
    let store = try Store(.inMemory, entities: [Blob.self, Letter.self])
    let commits = Recorder(store.commits)
    try store.commit { try $0.insert(Blob(id: 1, bytes: [1, 2, 3])) }
    let changes = try #require(commits.values.first).changes
    try ServerText.check(changes, limit: 4)
    let error = #expect(throws: StoreError.self) { try ServerText.check(changes, limit: 3) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("Blob.bytes: a value in PostgreSQL has less"))
    // All values of an object count together.
    try store.commit { try $0.insert(Letter(id: 1, subject: "abc", text: "def")) }
    let both = try #require(commits.values.last).changes
    try ServerText.check(both, limit: 7)
    #expect(throws: StoreError.self) { try ServerText.check(both, limit: 6) }
  }

  @Test func `P5: a large external commit is merged in a few round trips`() async throws {
    let place = try TestServer.place()
    let proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    defer { proxy.end() }
    let there = try open(proxy.connectionString, place.schema)
    let here = try open(place.connectionString, place.schema)
    let commits = Recorder(there.commits)
    try here.commit { draft in
      for id in 0..<2000 { try draft.insert(Car(id: id, model: "m", year: 0, owner: nil)) }
    }
    // It counts what the client sends.
    proxy.fail(.delay, after: 100)
    try await there.catchUp()
    #expect(proxy.faults[.delay] == nil)
    #expect(commits.values.map(\.isComplete) == [true])
    #expect(commits.values.first?.objectIDs.count == 2000)
  }

  @Test func `F5: a first result with a sum for each of many rows takes a few round trips`() throws
  {
    let place = try TestServer.place()
    let proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    defer { proxy.end() }
    let store = try open(proxy.connectionString, place.schema)
    let count = 8000
    try store.commit { draft in
      try draft.insert(contentsOf: (0..<count).map { Person(id: $0, name: "\($0)") })
      try draft.insert(
        contentsOf: (0..<count).map { Car(id: $0, model: "m", year: $0, owner: Ref($0)) })
    }
    // It counts what the client sends.
    proxy.fail(.delay, after: 400)
    let list = try FetchedObjectsModel(
      Query<Person>().including { $0.cars.sum { $0.year } }, in: store)
    #expect(proxy.faults[.delay] == nil)
    #expect(list.snapshot.rows.allSatisfy { row in row.cars.sum { $0.year } == row.id })
  }

  @Test func `F7: a commit of many rows of an index-only list takes a few round trips`() throws {
    let place = try TestServer.place()
    let proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    defer { proxy.end() }
    let store = try open(proxy.connectionString, place.schema)
    let list = try IndexedObjectsModel(Query<Car>(), in: store)
    let cars = (0..<2000).map { Car(id: $0, model: "m", year: 0, owner: nil) }
    // It counts what the client sends.
    proxy.fail(.delay, after: 100)
    try store.commit { try $0.insert(contentsOf: cars) }
    #expect(proxy.faults[.delay] == nil)
    #expect(list.count == 2000)
  }

  @Test func `S1: many objects of a query are updated in a few round trips`() throws {
    let place = try TestServer.place()
    let proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    defer { proxy.end() }
    let store = try open(proxy.connectionString, place.schema)
    try store.commit { draft in
      try draft.insert(contentsOf: (0..<2000).map { Car(id: $0, model: "m", year: 0) })
    }
    // It counts what the client sends.
    proxy.fail(.delay, after: 100)
    let count = try store.commit { draft in
      try draft.updateAll(Query<Car>()) { car in
        car.year = car.id
        // Others may be written meanwhile, also those that are to come.
        if car.id == 5 { try store.commit { try $0.delete(Car.self, 1) } }
        if car.id == 6 {
          try store.commit { draft in try draft.update(Car.self, 1999) { $0.model = "last" } }
        }
      }
    }
    #expect(proxy.faults[.delay] == nil)
    #expect(count == 2000)
    let cars = try store.fetch(Query<Car>())
    #expect(cars.map(\.id) == (0..<2000).filter { $0 != 1 })
    #expect(cars.allSatisfy { $0.year == $0.id })
    #expect(cars.map(\.model).suffix(2) == ["m", "last"])
  }

  @Test func `S4: many objects are upserted by a key in a few round trips`() throws {
    let place = try TestServer.place()
    let proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    defer { proxy.end() }
    let store = try Store(
      .postgreSQL(
        proxy.connectionString, schema: place.schema, durability: .normal, waiting: patience),
      entities: [Ticket.self])
    try store.commit { draft in
      try draft.insert(contentsOf: (0..<1500).map { Ticket(id: $0, code: "\($0)", seat: 0) })
    }
    // It counts what the client sends.
    proxy.fail(.delay, after: 100)
    try store.commit { draft in
      // One that the draft has given another key isn't found by its old one.
      try draft.update(Ticket.self, 7) { $0.code = "other" }
      try draft.upsert(
        contentsOf: (0..<2000).map { Ticket(id: 5000 + $0, code: "\($0)", seat: $0) }, by: \.code)
      let others = [
        Ticket(id: 9000, code: nil, seat: 9), Ticket(id: 9001, code: "other", seat: 1),
      ]
      try draft.upsert(contentsOf: others, by: \.code)
    }
    #expect(proxy.faults[.delay] == nil)
    let tickets = try store.fetch(Query<Ticket>())
    let ids: [Int] = Array(0..<1500) + [5007] + Array(6500..<7000) + [9000]
    #expect(tickets.map(\.id) == ids)
    #expect(tickets.map(\.seat).prefix(9) == [0, 1, 2, 3, 4, 5, 6, 1, 8])
    #expect(tickets.map(\.seat).suffix(3) == [1998, 1999, 9])
    // A text that no server can hold is refused as before.
    let error = #expect(throws: StoreError.self) {
      try store.commit { draft in
        try draft.upsert(contentsOf: [Ticket(id: 1, code: "a\0", seat: 0)], by: \.code)
      }
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("Ticket.code"))
  }

  @Test func `P5: the numbers of rows are the same, one by one and together`() throws {
    let place = try TestServer.place()
    let storage = PostgreSQLStorage(
      place.connectionString, schema: place.schema, durability: .normal, waiting: patience)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self, Word.self])
    try store.commit { draft in
      for id in 0..<9000 { try draft.insert(Car(id: 2 * id, model: "m", year: 0, owner: nil)) }
      for id in ["ann", "\u{E9}", "e\u{301}"] { try draft.insert(Word(id: id)) }
    }
    let cars: [StoredValue] = (-1..<18_002).map { .integer($0) }
    let words: [StoredValue] = ["e\u{301}", "", "bob", "a\0", "\u{E9}", "ann"].map { .text($0) }
    try storage.read { reader in
      for (entity, ids) in [(Car.schema.entity, cars), (Word.schema.entity, words)] {
        let numbers = try reader.numbered().rowNumbers(of: entity, ids: ids)
        #expect(numbers.count == ids.count)
        for place in stride(from: 0, to: ids.count, by: max(1, ids.count / 50)) {
          let single = try reader.numbered().rowNumber(of: entity, id: ids[place])
          #expect(numbers[place] == single, "\(ids[place])")
        }
        #expect(numbers.count { $0 != nil } == (entity.name == "Car" ? 9000 : 3))
      }
    }
  }

  @Test func `P5: changes are read at once only up to a number of bytes`() throws {
    let place = try TestServer.place()
    let storage = PostgreSQLStorage(
      place.connectionString, schema: place.schema, durability: .normal, waiting: patience)
    let store = try Store(.custom { storage }, entities: [Blob.self])
    func count(since version: Int64, atMost limit: Int64) throws -> Int? {
      try storage.read { reader in
        try (reader as? ServerReader)?
          .changes(since: version, of: [Blob.schema.entity], atMost: limit)?.count
      }
    }
    for byte in 1...4 {
      let bytes = [UInt8](repeating: UInt8(byte), count: 1000)
      try store.commit { try $0.upsert(Blob(id: 1, bytes: bytes)) }
    }
    // Three rows have a kilobyte each. The first one has only an id.
    #expect(try count(since: 1, atMost: 4000) == 1)
    #expect(try count(since: 1, atMost: 2000) == nil)
    #expect(try count(since: 3, atMost: 2000) == 1)
    for _ in 1...3 {
      #expect(
        Tool.run(
          place.connectionString,
          #"UPDATE "\#(place.schema)"."Blob" SET bytes = bytes || '\x01'::bytea"#))
    }
    #expect(try count(since: 4, atMost: 4000) == 1)
    #expect(try count(since: 4, atMost: 2000) == nil)
    #expect(try count(since: 6, atMost: 2000) == 1)
  }

  @Test func `S1: rows go to the server in messages that it takes`() throws {
    let small = EntityRow(Blob(id: 1, bytes: [1]))
    let large = EntityRow(Blob(id: 2, bytes: [UInt8](repeating: 7, count: 10 << 20)))
    func counts(_ rows: [EntityRow]) -> [Int] { RowSlices(rows, atMostSingle: 4).map(\.count) }
    #expect(counts([]) == [])
    #expect(counts([small]) == [1])
    #expect(counts(Array(repeating: small, count: 9000)) == [8192, 808])
    // Up to four rows are sent one by one, however large.
    #expect(counts(Array(repeating: large, count: 4)) == [4])
    #expect(counts(Array(repeating: large, count: 10)) == [4, 4, 2])
    #expect(counts(Array(repeating: small, count: 6) + [large, large]) == [7, 1])
    #expect(counts([large] + Array(repeating: small, count: 9)) == [10])
  }

  @Test func `S1: objects that are larger than a message are one commit`() throws {
    let place = try TestServer.place()
    let store = try Store(
      .postgreSQL(
        place.connectionString, schema: place.schema, durability: .normal, waiting: patience),
      entities: [Blob.self])
    func bytes(_ id: Int) -> [UInt8] { [UInt8](repeating: UInt8(id), count: 3 << 20) }
    try store.commit { draft in
      for id in 1...12 { try draft.insert(Blob(id: id, bytes: bytes(id))) }
    }
    try store.commit { draft in
      for id in 1...12 { try draft.update(Blob.self, id) { $0.bytes = bytes(id + 1) } }
    }
    for id in 1...12 {
      let isSame = try store.find(Blob.self, id)?.bytes == bytes(id + 1)
      #expect(isSame, "\(id)")
    }
    try store.commit { draft in for id in 1...12 { try draft.delete(Blob.self, id) } }
    #expect(try store.count(Query<Blob>()) == 0)
  }

  @Test func `S6: a read and an opening that wait for too long are busy`() throws {
    let place = try TestServer.place()
    // The creation of a schema may wait for other tests.
    _ = try open(place.connectionString, place.schema)
    let store = try open(
      place.connectionString, place.schema, waiting: .milliseconds(200))
    let tool = try Tool(place.connectionString, schema: place.schema)
    tool.run(
      """
      BEGIN; SELECT pg_advisory_xact_lock(\(ServerLayout.lockKeys(
        ServerPlace(host: "", database: "", schema: place.schema))));
      LOCK TABLE signalbox_metadata IN ACCESS EXCLUSIVE MODE
      """)
    let attempts: [(String, () throws -> Void)] = [
      (
        "opening",
        { _ = try open(place.connectionString, place.schema, waiting: .milliseconds(200)) }
      ),
      ("fetch", { _ = try store.fetch(Query<Car>()) }),
      ("commit", { try store.commit { try $0.delete(Car.self, 1) } }),
    ]
    for (name, attempt) in attempts {
      let error = #expect(throws: StoreError.self) { try attempt() }
      guard case .storage(let fault)? = error else { continue }
      #expect(fault.kind == .busy, "\(name): \(fault)")
      #expect(fault.message.contains("try again"), "\(name): \(fault)")
    }
    tool.run("ROLLBACK")
    #expect(try store.fetch(Query<Car>()).isEmpty)
  }

  @Test func `The change log keeps the last 10,000 versions, also if tools alone write`() throws {
    let place = try TestServer.place()
    let store = try open(place.connectionString, place.schema)
    let tool = try Tool(place.connectionString, schema: place.schema)
    func write(_ numbers: ClosedRange<Int>) {
      tool.run(
        """
        DO $$ BEGIN FOR n IN \(numbers.lowerBound)..\(numbers.upperBound) LOOP
          INSERT INTO "Car" (id, model, year, owner) VALUES (n, 'm', 0, NULL); COMMIT;
        END LOOP; END $$
        """)
    }
    func counts() -> [Int] {
      ["signalbox_log", "signalbox_tool_rows"].map {
        tool.run("SELECT count(*) FROM \($0)").first.flatMap { Int($0) } ?? 0
      }
    }
    write(1...10_600)
    #expect(counts().allSatisfy { (10_000...10_300).contains($0) }, "\(counts())")
    // Only the odd versions are the store's.
    for id in 10_601...10_900 {
      try store.commit { try $0.delete(Car.self, id - 10_600) }
      write(id...id)
    }
    #expect(counts()[0] <= 10_300, "\(counts())")
    #expect(try store.count(Query<Car>()) == 10_600)
  }

  @Test func `P5: a bulk load in many statements writes to the change log once`() async throws {
    let place = try ToolPlace()
    let store = try place.open()
    let commits = Recorder(store.commits)
    let tool = try Tool(place.connectionString, schema: place.schema)
    tool.run("BEGIN; SET LOCAL signalbox.writer = 'bulk'")
    // Each write of the row gives it another place.
    let places = (1...5).map { id in
      tool.run(
        """
        INSERT INTO "Car" (id, model, year, owner) VALUES (\(id), 'bulk', 0, NULL);
        SELECT ctid FROM signalbox_log ORDER BY version DESC LIMIT 1
        """)
    }
    #expect(places[0].count == 1 && Set(places).count == 1, "\(places)")
    tool.run("COMMIT")
    try await store.catchUp()
    #expect(try store.count(Query<Car>()) == 5)
    #expect(commits.values.map(\.isComplete) == [false])
  }

  @Test func `P5: more rows of a tool than are read at once make the results read again`()
    async throws
  {
    let place = try ToolPlace()
    let store = try place.open()
    let commits = Recorder(store.commits)
    for (first, last, isComplete) in [(1, 65_536, true), (100_000, 165_536, false)] {
      #expect(
        place.psql(
          """
          INSERT INTO "Car" (id, model, year, owner)
            SELECT n, 'm', 0, NULL FROM generate_series(\(first), \(last)) AS n
          """))
      try await store.catchUp()
      #expect(commits.values.last?.isComplete == isComplete)
    }
    #expect(try store.count(Query<Car>()) == 131_073)
  }

  @Test(arguments: [false, true])
  func `S1: a tool whose snapshot is older than the change log makes no version behind others`(
    _ hasCommitted: Bool
  ) throws {
    let place = try ToolPlace()
    let store = try place.open()
    if hasCommitted { try store.fillGarage() }
    let tool = try Tool(place.connectionString, schema: place.schema)
    tool.run(#"BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM "Car""#)
    // Others make so many versions meanwhile that all it sees are trimmed.
    #expect(
      place.psql(
        """
        INSERT INTO signalbox_log (version, token) SELECT n, n FROM
          generate_series((SELECT coalesce(max(version), 0) + 1 FROM signalbox_log), 10300) AS n;
        DELETE FROM signalbox_log WHERE version <= 300
        """))
    let insert = #"INSERT INTO "Car" (id, model, year, owner) VALUES (9, 'tool', 0, NULL)"#
    tool.run("\(insert); COMMIT")
    #expect(try store.find(Car.self, 9) == nil)
    #expect(place.psql(insert))
    try store.refresh()
    #expect(try store.find(Car.self, 9)?.model == "tool")
    #expect(try store.version == 10_301)
  }
}
#endif
