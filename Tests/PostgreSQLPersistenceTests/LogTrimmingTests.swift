#if PostgreSQL
@_spi(Storage) @testable import EntityStore
import Fixtures
@_spi(Storage) @testable import PostgreSQLPersistence
import TestSupport
import Testing

/// The change log of a server keeps what stores read, and no more.
@Suite struct LogTrimmingTests {
  private let place: ToolPlace
  private let store: Store

  init() throws {
    place = try ToolPlace()
    store = try place.open()
  }

  /// Returns the number that a query of another program returns.
  private func number(_ sql: String) throws -> Int? {
    try Tool(place.connectionString, schema: place.schema).run(sql).first.flatMap { Int($0) }
  }

  private func insertCars(_ ids: ClosedRange<Int>) {
    let isDone = place.psql(
      """
      INSERT INTO "Car" (id, model, year, owner)
        SELECT n, 'm', 0, NULL FROM generate_series(\(ids.lowerBound), \(ids.upperBound)) AS n
      """)
    #expect(isDone)
  }

  /// Has versions follow the first one of the log, as tools make them.
  private func makeVersions(_ versions: ClosedRange<Int>) {
    let isDone = place.psql(
      """
      INSERT INTO signalbox_log (version, token) SELECT n, n FROM
        generate_series(\(versions.lowerBound), \(versions.upperBound)) AS n
      """)
    #expect(isDone)
  }

  private func commit(_ id: Int, _ store: Store) throws {
    try store.commit { try $0.insert(Car(id: id, model: "m", year: 0)) }
  }

  @Test func `it is trimmed with the first commit, then by versions, time and bytes`() {
    var trimming = LogTrimming()
    let start = ContinuousClock.now
    func next(_ version: Int64, _ bytes: Int, _ seconds: Int) -> [Bool] {
      let parts = trimming.next(version, bytes: bytes, at: start + .seconds(seconds))
      return [parts.versions, parts.unread]
    }
    expectEqual(next(300, 1, 0), [true, true])
    expectEqual(next(301, 1, 1), [false, false])
    expectEqual(next(512, 1, 59), [true, false])
    expectEqual(next(513, 1, 60), [false, true])
    expectEqual(next(514, 64 << 20, 61), [false, false])
    expectEqual(next(515, 1, 62), [false, true])
    expectEqual(next(516, 1, 63), [false, false])
  }

  @Test func `P5: a commit deletes rows of tools that more than a store reads follow`() throws {
    insertCars(1...65_536)
    try commit(100_001, store)
    #expect(try number("SELECT count(*) FROM signalbox_tool_rows") == 65_536)
    insertCars(65_537...65_537)
    // Another storage looks with its first commit, and this one a minute after the last time.
    let other = try place.open()
    try commit(100_002, other)
    #expect(try number("SELECT count(*) FROM signalbox_tool_rows") == 1)
    #expect(try other.count(Query<Car>()) == 65_539)
  }

  @Test func `P5: a commit forgets changes that more bytes than a store reads follow`()
    async throws
  {
    let late = try place.open()
    let commits = Recorder(late.commits)
    let isDone = place.psql(
      """
      INSERT INTO signalbox_log (version, token, changes)
        SELECT n, n, CASE WHEN n % 2 = 0 THEN convert_to(repeat('x', 4000000), 'UTF8') END
        FROM generate_series(1, 40) AS n;
      INSERT INTO signalbox_tool_rows (version, entity, signature, was_absent, content)
        SELECT n, 'Car', 0, FALSE, convert_to(repeat('x', 4000000), 'UTF8')
        FROM generate_series(1, 40) AS n WHERE n % 2 = 1
      """)
    #expect(isDone)
    try commit(1, store)
    let long = "SELECT count(*) FROM signalbox_log WHERE octet_length(changes) > 1000"
    #expect(try number(long) == 16)
    // The versions and their tokens stay, by which outcomes of commits are found.
    #expect(try number("SELECT count(*) FROM signalbox_log") == 42)
    #expect(try number("SELECT count(*) FROM signalbox_tool_rows") == 16)
    #expect(try number("SELECT min(version) FROM signalbox_tool_rows") == 9)
    try await late.catchUp()
    // It may have merged the versions of tools before.
    #expect(commits.values.first?.isComplete == false)
    #expect(try late.count(Query<Car>()) == 1)
  }

  @Test func `P5: tools alone delete rows that more than a store reads follow`() throws {
    makeVersions(1...254)
    insertCars(1...65_537)
    insertCars(65_538...65_538)
    #expect(try number("SELECT max(version) FROM signalbox_log") == 256)
    #expect(try number("SELECT count(*) FROM signalbox_tool_rows") == 1)
  }

  @Test func `P5: a commit that is made again after a conflict trims the change log`() throws {
    insertCars(1...1)
    makeVersions(2...10_300)
    let tool = try Tool(place.connectionString, schema: place.schema)
    tool.run(#"BEGIN; UPDATE "Car" SET year = 1 WHERE id = 1"#)
    let runs = Counter()
    try store.commit { draft in
      runs.add()
      if runs.value == 2 { tool.run("ROLLBACK") }
      try draft.update(Car.self, 1) { $0.year = 2 }
    }
    #expect(runs.value == 2)
    #expect(try number("SELECT count(*) FROM signalbox_log") == 10_000)
  }

  @Test func `conflicts of several commits that trim put the next look off, and no others`() {
    let start = ContinuousClock.now
    func looks(_ trimming: LogTrimming, after seconds: Int) -> Bool {
      var next = trimming
      return next.next(1, bytes: 0, at: start + .seconds(seconds)).unread
    }
    var trimming = LogTrimming()
    for conflicts in 1...3 {
      var tried = trimming
      #expect(tried.next(1, bytes: 0, at: start).unread == (conflicts < 3))
      trimming.noteConflict(tried, at: start)
      // One conflict is tried again at once.
      #expect(looks(trimming, after: 1) == (conflicts == 1))
      #expect(looks(trimming, after: 6))
    }
  }

  @Test func `a change log that can't be trimmed doesn't keep the next commit from succeeding`()
    throws
  {
    let isDone = place.psql(
      """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
      CREATE TRIGGER refuse BEFORE DELETE ON signalbox_tool_rows
        FOR EACH STATEMENT EXECUTE FUNCTION refuse()
      """)
    #expect(isDone)
    #expect(throws: StoreError.self) { try commit(1, store) }
    try commit(2, store)
    #expect(try store.fetch(Query<Car>()).map(\.id) == [2])
  }

  @Test func `a statement that the server refuses each time isn't kept each time`() throws {
    let connection = try ServerStoreConnection(place.connectionString, schema: place.schema)
    let count = connection.prepared.count
    for _ in 1...5 {
      #expect(throws: StoreError.self) { try connection.run("SELECT * FROM nothing", []) }
    }
    #expect(connection.prepared.count == count)
    #expect(try connection.run("SELECT 1::bigint", []).integer(0, 0) == 1)
    #expect(connection.prepared.count == count + 1)
  }
}
#endif
