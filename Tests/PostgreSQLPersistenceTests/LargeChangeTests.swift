#if PostgreSQL
@_spi(Storage) @testable import EntityStore
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

/// Changes of many objects, and of large ones.
@Suite struct LargeChangeTests {
  private func open(_ connectionString: String, _ schema: String, waiting: Duration = .seconds(10))
    throws -> Store
  {
    try Store(
      .postgreSQL(connectionString, schema: schema, durability: .normal, waiting: waiting),
      entities: [Person.self, Car.self])
  }

  @Test func `S6: a value that no server can hold is refused`() throws {
    let store = try Store(.inMemory, entities: [Blob.self])
    let commits = Recorder(store.commits)
    try store.commit { try $0.insert(Blob(id: 1, bytes: [1, 2, 3])) }
    let changes = try #require(commits.values.first).changes
    try ServerText.check(changes, limit: 4)
    let error = #expect(throws: StoreError.self) { try ServerText.check(changes, limit: 3) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("Blob.bytes: a value in PostgreSQL has less"))
  }

  @Test func `P5: a large external commit is merged in a few round trips`() throws {
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
    try there.refresh()
    #expect(proxy.faults[.delay] == nil)
    #expect(commits.values.map(\.isComplete) == [true])
    #expect(commits.values.first?.objectIDs.count == 2000)
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
      .postgreSQL(place.connectionString, schema: place.schema, durability: .normal),
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
}
#endif
