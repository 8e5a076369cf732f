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
      .postgreSQL(place.connectionString, schema: place.schema, durability: .normal),
      entities: [Lamp.self], hooks: failures)
    let commits = Recorder(store.commits)
    // Without its column, the row can't be read.
    #expect(
      place.psql(
        #"BEGIN; INSERT INTO "Lamp" (id, "isOn") VALUES (1, 1); "#
          + #"ALTER TABLE "Lamp" RENAME "isOn" TO other; COMMIT"#))
    #expect(await becomesTrue { failures.times.entries.count >= 5 })
    // Between them it has waited for 0.1, 0.2, 0.4 and 0.8 seconds.
    let times = failures.times.entries
    #expect(times[4] - times[0] >= .milliseconds(1400))
    #expect(place.psql(#"ALTER TABLE "Lamp" RENAME other TO "isOn""#))
    #expect(await becomesTrue { !commits.values.isEmpty })
    #expect(try store.find(Lamp.self, 1)?.isOn == true)
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
        place.connectionString, schema: place.schema, durability: .normal)
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
    let sync = ServerSync { try StoreConnection(place.connectionString, schema: place.schema) }
    /// Waits for the disk after the second version, which came over a connection.
    func wait(_ token: Int64, _ connection: Int) throws {
      sync.noteCommitted(
        ServerSync.Mark(version: 2, token: token, connection: connection), isSynced: false)
      try sync.sync(2)
    }
    try wait(asked.token, 1)
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
