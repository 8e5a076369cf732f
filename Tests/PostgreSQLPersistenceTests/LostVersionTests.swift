#if PostgreSQL
@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
@_spi(Storage) @testable import PostgreSQLPersistence
import Relays
import TestSupport
import Testing

/// Hooks that note when merges have failed.
private final class FailedMerges: StoreHooks {
  let times = Log<ContinuousClock.Instant>()

  func ended(_ operation: StoreOperation, _ report: StoreReport) {
    if operation.kind == .merging, report.error != nil { times.note(ContinuousClock().now) }
  }
}

/// A server's storage whose store merges the commits of others only when a test says so.
///
/// Otherwise the thread that follows others may find first that a merge fails, and report it.
private final class UnfollowedStorage: SkippingStorage {
  private let base: PostgreSQLStorage

  init(_ base: PostgreSQLStorage) { self.base = base }

  var mayLoseVersions: Bool { base.mayLoseVersions }

  func open(_ entities: [EntityDescription]) throws -> Int64 { try base.open(entities) }

  func begin() throws -> any StorageTransaction { try base.begin() }

  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try base.read(body)
  }

  func skip(past version: Int64) throws { try base.skip(past: version) }

  func merging<R>(_ body: () throws -> R) rethrows -> R { try base.merging(body) }
}

@Suite struct `Versions that a server has lost, and merges that fail` {
  private struct Lamp: Entity {
    let id: Int
    var isOn: Bool
    static let attributes = Attributes(.id(\Lamp.id), .attribute("isOn", \.isOn))
    static let schema = Schema(attributes, Lamp.init)
  }

  @Test func `P5: a merge that fails is tried less and less often, until it succeeds`() async throws
  {
    let place = try ToolPlace()
    let failures = FailedMerges()
    let store = try Store(
      .postgreSQL(
        place.connectionString, schema: place.schema, durability: .normal, waiting: patience),
      entities: [Lamp.self], hooks: failures)
    let commits = Recorder(store.commits)
    // Without its column, the row can't be read.
    #expect(
      place.psql(
        #"BEGIN; INSERT INTO "Lamp" (id, "isOn") VALUES (1, 1); "#
          + #"ALTER TABLE "Lamp" RENAME "isOn" TO other; COMMIT"#))
    #expect(await becomesTrue { failures.times.entries.count >= 4 })
    // Between them it has waited for 0.1, 0.2 and 0.4 seconds.
    let times = failures.times.entries
    #expect(times[3] - times[0] >= .milliseconds(600))
    #expect(place.psql(#"ALTER TABLE "Lamp" RENAME other TO "isOn""#))
    #expect(await becomesTrue { !commits.values.isEmpty })
    #expect(try store.find(Lamp.self, 1)?.isOn == true)
  }

  @Test func `P5: a merge in which a read fails publishes nothing, and is made again`() async throws
  {
    let place = try ToolPlace()
    // The creation of a schema may wait for other tests.
    _ = try place.open()
    let storage = PostgreSQLStorage(
      place.connectionString, schema: place.schema, durability: .normal,
      waiting: .milliseconds(200))
    let here = try Store(
      .custom { UnfollowedStorage(storage) }, entities: [Person.self, Car.self])
    try here.fillGarage()
    let there = try place.open()
    // It is asked first, and reads a table that no commit has changed.
    let counts: ObservedValue<[Int]> = try ObservedValue(in: here) { reader in
      [try reader.fetch(Query<Person>()).count, try reader.fetch(Query<Car>()).count]
    }
    let list = try IndexedObjectsModel(Query<Person>(), in: here)
    let tool = try Tool(place.connectionString, schema: place.schema)
    tool.run(#"BEGIN; LOCK TABLE "Car" IN ACCESS EXCLUSIVE MODE"#)
    try there.commit { try $0.insert(Person(id: 3, name: "Cid")) }
    let error = #expect(throws: StoreError.self) { try here.refresh() }
    guard case .storage(let fault)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(fault.kind == .conflict, "\(fault)")
    #expect(list.count == 2 && list.error == nil)
    #expect(counts.value == [2, 4] && counts.error == nil)
    tool.run("ROLLBACK")
    try await here.catchUp()
    #expect(list.count == 3 && list.error == nil)
    #expect(counts.value == [3, 4] && counts.error == nil)
  }

  @Test func `P5: another version with the number of a lost one is noticed`() async throws {
    let place = try ToolPlace()
    let store = try place.open()
    try store.fillGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let version = try store.version
    // As if the server had lost the last version, and another program had made it again.
    #expect(
      place.psql(
        """
        BEGIN; SET LOCAL signalbox.writer = 'store'; UPDATE "Car" SET model = 'left';
        UPDATE signalbox_log SET token = 4711, changes = NULL
          WHERE version = (SELECT max(version) FROM signalbox_log);
        COMMIT
        """))
    #expect(
      await becomesTrue {
        Set(model.fetchedObjects.map(\.model)) == ["left"]
      })
    #expect(try store.version > version)
  }

  @Test func `P5: a lost version is noticed, also if the one before it is this store's own`()
    async throws
  {
    let place = try ToolPlace()
    let store = try place.open()
    try store.fillGarage()
    // The other store has gone when its version is lost.
    do { try place.open().commit { try $0.delete(Car.self, 1) } }
    #expect(await becomesTrue { store.mergedVersion == 2 })
    let model = try FetchedObjectsModel(Query<Car>().sorted { [$0.id.ascending] }, in: store)
    #expect(model.fetchedObjects.map(\.id) == [2, 3, 4])
    #expect(
      place.psql(
        """
        BEGIN; SET LOCAL signalbox.writer = 'store';
        INSERT INTO "Car" (id, model, year, owner) VALUES (1, 'back', 1, NULL);
        DELETE FROM signalbox_log WHERE version = 2;
        COMMIT
        """))
    #expect(
      await becomesTrue { model.fetchedObjects.map(\.id) == [1, 2, 3, 4] })
  }

  /// A store with three versions, the second of which is asked for.
  private struct Asked {
    let place: ToolPlace
    let storage: PostgreSQLStorage
    let store: Store
    let tool: Tool
    /// The token of the second version.
    let token: Int64

    init() throws {
      place = try ToolPlace()
      let storage = PostgreSQLStorage(
        place.connectionString, schema: place.schema, durability: .normal, waiting: patience)
      self.storage = storage
      store = try Store(.custom { storage }, entities: [Person.self, Car.self])
      for id in 1...3 {
        try store.commit { try $0.insert(Car(id: id, model: "m", year: 0, owner: nil)) }
      }
      tool = try Tool(place.connectionString, schema: place.schema)
      token = try Self.number(tool, "SELECT token FROM signalbox_log WHERE version = 2")
    }

    static func number(_ tool: Tool, _ sql: String) throws -> Int64 {
      try #require(tool.run(sql).first.flatMap { Int64($0) })
    }

    /// Trims the change log, as a commit does when others have made 10,000 versions.
    func trim() { tool.run("DELETE FROM signalbox_log WHERE version <= 2") }
  }

  @Test func `S1: a commit whose version was trimmed from the log isn't taken for undone`() throws {
    let asked = try Asked()
    let (storage, token) = (asked.storage, asked.token)
    let made = try Asked.number(asked.tool, "SELECT xmin FROM signalbox_log WHERE version = 2")
    let undone = try Asked.number(asked.tool, "BEGIN; SELECT pg_current_xact_id(); ROLLBACK")
    #expect(storage.outcome(of: made, version: 2, token: token) == .committed)
    #expect(storage.outcome(of: made, version: 2, token: token &+ 1) == .rolledBack)
    asked.trim()
    #expect(storage.outcome(of: made, version: 2, token: token) == .unknown)
    // The server knows these two: it was rolled back, and none has had that number yet.
    #expect(storage.outcome(of: undone, version: 2, token: token) == .rolledBack)
    #expect(storage.outcome(of: undone + 1_000_000_000, version: 2, token: token) == .rolledBack)
  }

  @Test func `P1: a commit whose version was trimmed from the log isn't taken for lost`() throws {
    let asked = try Asked()
    let place = asked.place
    let sync = ServerSync {
      try ServerStoreConnection(place.connectionString, schema: place.schema)
    }
    /// Waits for the disk after the second version, which came over a connection.
    func wait(_ token: Int64, _ connection: Int) throws {
      sync.noteCommitted(
        ServerSync.Mark(version: 2, token: token, connection: connection), isSynced: false)
      try sync.sync(2)
    }
    try wait(asked.token, 1)
    // A commit that has changed nothing has seen a version that is lost.
    let other = ServerSync {
      try ServerStoreConnection(place.connectionString, schema: place.schema)
    }
    other.noteCommitted(
      ServerSync.Mark(version: 2, token: asked.token &+ 1, connection: 1), isSynced: false)
    let seen = Box<(any Error)?>(nil)
    TestThread { do { try other.sync(2) } catch { seen.value = error } }.join()
    guard case .storage? = seen.value as? StoreError else {
      Issue.record("\(String(describing: seen.value))")
      return
    }
    let lost = #expect(throws: StoreError.self) { try wait(asked.token &+ 1, 2) }
    guard case .storage? = lost else {
      Issue.record("\(String(describing: lost))")
      return
    }
    asked.trim()
    let trimmed = #expect(throws: StoreError.self) { try wait(asked.token, 3) }
    guard case .outcomeUnknown(2, _)? = trimmed else {
      Issue.record("\(String(describing: trimmed))")
      return
    }
  }
}
#endif
