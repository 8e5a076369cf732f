#if PostgreSQL
@_spi(Storage) import EntityStore
import Fixtures
@_spi(Storage) import PostgreSQLPersistence
import Relays
import TestSupport
import Testing

/// Settings of a role, a database or a tool, and what a tool holds up.
@Suite struct ToolSettingTests {
  @Test func `P5: backslashes that texts read as escapes change nothing for stores and tools`()
    async throws
  {
    let place = try ToolPlace()
    let schema = place.schema + #"\a"#
    let store = try Store(
      .postgreSQL(
        "\(place.connectionString) options='-c standard_conforming_strings=off'",
        schema: schema, durability: .normal, waiting: patience, attempts: 100),
      entities: [Person.self, Car.self])
    try store.fillGarage()
    let commits = Recorder(store.commits)
    let tool = try Tool(place.connectionString, schema: schema)
    tool.run("SET standard_conforming_strings = off")
    tool.run(#"UPDATE "Car" SET year = 7 WHERE id = 4"#)
    try await store.catchUp()
    #expect(try store.find(Car.self, 4)?.year == 7)
    #expect(commits.values.count == 1 && commits.values.allSatisfy(\.isComplete))
    tool.run(#"BEGIN; SET LOCAL signalbox.writer = 'bulk'; UPDATE "Car" SET year = 8; COMMIT"#)
    try await store.catchUp()
    #expect(try store.fetch(Query<Car>()).map(\.year) == [8, 8, 8, 8])
    #expect(commits.values.count == 2)
    try store.commit { try $0.delete(Car.self, 4) }
    #expect(try store.count(Query<Car>()) == 3)
  }

  @Test func `P5: a tool that keeps stores from looking for commits is an error, once`()
    async throws
  {
    let place = try ToolPlace()
    // The creation of a schema may wait for other tests.
    let other = try place.open()
    let store = try Store(
      .postgreSQL(
        place.connectionString, schema: place.schema, durability: .normal,
        waiting: .milliseconds(300)),
      entities: [Person.self, Car.self])
    let errors = Recorder(store.errors)
    let tool = try Tool(place.connectionString, schema: place.schema)
    tool.run(#"BEGIN; TRUNCATE "Car""#)
    #expect(await becomesTrue { !errors.values.isEmpty })
    tool.run("ROLLBACK")
    try other.fillGarage()
    #expect(await becomesTrue { store.mergedVersion == 1 })
    await store.flush()
    #expect(errors.values.count == 1)
    guard case .storage(let fault)? = errors.values.first as? StoreError else {
      Issue.record("\(errors.values)")
      return
    }
    #expect(fault.kind == .busy, "\(fault)")
    #expect(fault.message.contains("another writer"), "\(fault)")
  }
}
#endif
