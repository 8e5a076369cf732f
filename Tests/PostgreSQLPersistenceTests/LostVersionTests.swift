#if PostgreSQL
@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
@_spi(Storage) import PostgreSQLPersistence
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
}
#endif
