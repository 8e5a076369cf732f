#if PostgreSQL
@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import Locking
@_spi(Storage) import PostgreSQLPersistence
import Relays
import TestSupport
import Testing

/// Models whose reads the server refuses: a policy of a table fails for the store's role.
@Suite struct RefusedReadTests {
  private let place: ToolPlace
  private let role: String

  init() throws {
    place = try ToolPlace()
    role = "limited in \(place.schema)"
  }

  /// Returns a store of the tables' owner, and one of another role.
  private func open(
    _ entities: [any Entity.Type] = [Person.self, Car.self], time: TimeSource = .system
  ) throws -> (owner: Store, limited: Store) {
    let owner = try place.open(entities)
    let isMade = place.psql(
      """
      CREATE ROLE "\(role)" LOGIN;
      GRANT USAGE ON SCHEMA "\(place.schema)" TO "\(role)";
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "\(place.schema)" TO "\(role)"
      """)
    #expect(isMade)
    let limited = try Store(
      .postgreSQL(
        "\(place.connectionString) user='\(role)'", schema: place.schema, durability: .normal,
        waiting: patience),
      entities: entities, time: time)
    return (owner, limited)
  }

  private func car(_ id: Int) -> Car { Car(id: id, model: "m", year: 1, owner: nil) }

  private func isRefused(_ error: (any Error)?, _ code: String = "22012") -> Bool {
    guard case .storage(let fault)? = error as? StoreError else { return false }
    return fault.detail?.hasPrefix(code) ?? false
  }

  /// Lets each read of a person divide by zero, except those of the tables' owner.
  private func refuse() {
    let isDone = place.psql(
      """
      ALTER TABLE "Person" ENABLE ROW LEVEL SECURITY;
      CREATE POLICY broken ON "Person" USING (1 / (id - id) = 1)
      """)
    #expect(isDone)
  }

  @Test func `F11: a model whose reads are refused holds up no commit and no other model`()
    async throws
  {
    let (other, store) = try open()
    try other.commit { try $0.insert(ann) }
    let both = try ObservedValue(in: store) {
      try $0.fetch(Query<Person>()).count + $0.fetch(Query<Car>()).count
    }
    let cars = try ObservedValue(in: store) { try $0.fetch(Query<Car>()).count }
    #expect(both.value == 1)
    // Merging the first commit reads the person.
    try await store.catchUp()
    refuse()

    try other.commit { try $0.insert(car(1)) }
    try await store.catchUp()
    #expect(cars.value == 1 && cars.error == nil)
    #expect(both.value == 1 && isRefused(both.error))

    let errors = Recorder(both.errors)
    try store.commit { try $0.insert(car(2)) }
    await store.flush()
    #expect(cars.value == 2 && cars.error == nil)
    #expect(errors.values.count == 1 && isRefused(errors.values.first))

    // The second commit has to merge the first one, unless that has been done. In both, the reads
    // are refused once before its writes and once after them.
    for round in 1...10 {
      try other.commit { try $0.insert(car(2 * round + 1)) }
      try store.commit { try $0.insert(car(2 * round + 2)) }
    }
    await store.flush()
    #expect(cars.value == 22 && cars.error == nil)
    #expect(both.value == 1 && isRefused(both.error))
    #expect(try other.count(Query<Car>()) == 22)

    #expect(place.psql(#"ALTER TABLE "Person" DISABLE ROW LEVEL SECURITY"#))
    try store.commit { try $0.insert(car(100)) }
    await store.flush()
    #expect(both.value == 24 && both.error == nil)
  }

  @Test func `S1: a write that is refused fails the commit, though a model reads behind it`() throws
  {
    let (other, store) = try open()
    let cars = try ObservedValue(in: store) { try $0.fetch(Query<Car>()).count }
    #expect(place.psql(#"REVOKE INSERT ON "Car" FROM "\#(role)""#))
    let error = #expect(throws: StoreError.self) { try store.commit { try $0.insert(car(1)) } }
    #expect(isRefused(error, "42501"))
    #expect(cars.value == 0 && cars.error == nil)
    #expect(try other.count(Query<Car>()) == 0)
    #expect(place.psql(#"GRANT INSERT ON "Car" TO "\#(role)""#))
    try store.commit { try $0.insert(car(1)) }
    #expect(cars.value == 1)
    #expect(try other.count(Query<Car>()) == 1)
  }

  /// Expects that a commit fails because a row isn't written.
  private func expectMissing(
    _ store: Store, _ body: (inout Draft) throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      try store.commit(body)
      recordIssue("The commit has returned", sourceLocation: sourceLocation)
    } catch StoreError.storage(let fault) {
      expectEqual(fault.kind, .readOnly, "\(fault)", sourceLocation: sourceLocation)
      expectTrue(
        fault.message.contains("of the table Car keeps a row"), "\(fault)",
        sourceLocation: sourceLocation)
    } catch { recordIssue("\(error)", sourceLocation: sourceLocation) }
  }

  @Test func `S1: a commit of which a policy leaves out a write fails, and nothing is published`()
    async throws
  {
    let (owner, limited) = try open()
    try owner.commit { try $0.insert(contentsOf: (1...10).map { car($0) }) }
    try await limited.catchUp()
    let isMade = place.psql(
      """
      ALTER TABLE "Car" ENABLE ROW LEVEL SECURITY;
      CREATE POLICY see ON "Car" FOR SELECT USING (TRUE)
      """)
    #expect(isMade)
    let version = try owner.version
    // It reads behind the writes of each commit.
    let years = try ObservedValue(in: limited) {
      try $0.fetch(Query<Car>()).reduce(0) { $0 + $1.year }
    }
    let commits = Recorder(limited.commits)
    expectMissing(limited) { try $0.update(Car.self, 1) { $0.year = 7 } }
    expectMissing(limited) { try $0.delete(Car.self, 1) }
    expectMissing(limited) { draft in
      for id in 1...10 { try draft.update(Car.self, id) { $0.year = 7 } }
    }
    expectMissing(limited) { draft in
      for id in 1...10 { try draft.delete(Car.self, id) }
    }
    try await limited.catchUp()
    try owner.refresh()
    #expect(try owner.version == version)
    #expect(commits.values.isEmpty)
    #expect(years.value == 10 && years.error == nil)
    #expect(place.psql(#"CREATE POLICY write ON "Car" USING (TRUE)"#))
    try limited.commit { try $0.update(Car.self, 1) { $0.year = 7 } }
    await limited.flush()
    #expect(years.value == 16)
    #expect(try owner.find(Car.self, 1)?.year == 7)
  }

  @Test(arguments: [1, 10, 300])
  func `S1: a commit of which a trigger leaves out a write fails`(_ count: Int) throws {
    let store = try place.open()
    let isMade = place.psql(
      """
      CREATE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN IF NEW.id = 1 THEN RETURN NULL; END IF; RETURN NEW; END $$;
      CREATE TRIGGER leave_out BEFORE INSERT ON "Car" FOR EACH ROW EXECUTE FUNCTION leave_out()
      """)
    #expect(isMade)
    expectMissing(store) { try $0.insert(contentsOf: (1...count).map { car($0) }) }
    #expect(try store.count(Query<Car>()) == 0)
    #expect(try store.version == 0)
    try store.commit { try $0.insert(contentsOf: (2...count + 1).map { car($0) }) }
    #expect(try store.count(Query<Car>()) == count)
  }

  @Test func `S1: a row that a tool's foreign key has deleted before isn't one that is left out`()
    async throws
  {
    let (owner, limited) = try open()
    try owner.commit { draft in
      try draft.insert(Person(id: 1, name: "a"))
      for id in 1...10 { try draft.insert(Car(id: id, model: "m", year: 1, owner: Ref(1))) }
    }
    try await limited.catchUp()
    let isMade = place.psql(
      """
      ALTER TABLE "Car" ADD FOREIGN KEY (owner) REFERENCES "Person" ON DELETE CASCADE;
      ALTER TABLE "Person" ENABLE ROW LEVEL SECURITY;
      CREATE POLICY all_rows ON "Person" USING (TRUE)
      """)
    #expect(isMade)
    try limited.commit { draft in
      try draft.delete(Person.self, 1)
      for id in 1...10 { try draft.delete(Car.self, id) }
    }
    #expect(try limited.count(Query<Car>()) == 0)
  }

  @Test func `S1: many rows are inserted into a table with a policy`() async throws {
    let (_, limited) = try open()
    try limited.commit { try $0.insert(contentsOf: (1...300).map { car($0) }) }
    let isMade = place.psql(
      """
      ALTER TABLE "Car" ENABLE ROW LEVEL SECURITY;
      CREATE POLICY all_rows ON "Car" USING (TRUE)
      """)
    #expect(isMade)
    // The first commit after a policy is made may fail, since the server copies no rows any more.
    _ = try? limited.commit { try $0.insert(contentsOf: (301...600).map { car($0) }) }
    try limited.commit { try $0.insert(contentsOf: (601...900).map { car($0) }) }
    #expect(try limited.find(Car.self, 900) != nil)
  }

  private struct Alarm: Entity {
    let id: Int
    /// The seconds since 1970.
    var rings: Double
    static let attributes = Attributes(.id(\Alarm.id), .attribute("rings", \.rings))
    static let schema = Schema(attributes, Alarm.init)
  }

  @Test func `F11, F17: time passes for models though the reads of others are refused`()
    async throws
  {
    let clock = SetClock(100)
    let (owner, store) = try open([Person.self, Alarm.self], time: clock.source)
    try owner.commit { try $0.insert(ann) }
    try store.commit { try $0.insert(Alarm(id: 1, rings: 200)) }
    let due = Query<Alarm>().filter { $0.rings.compared(.lessOrEqual, .now) }
    // They are called in no order.
    let refused = try (0..<4).map { _ in
      try ObservedValue(in: store) { try $0.fetch(Query<Person>()).count + $0.fetch(due).count }
    }
    let others = try (0..<4).map { _ in
      try ObservedValue(in: store) { try $0.fetch(due).count }
    }
    refuse()
    clock.now = 300
    await store.clockHasChanged()
    await store.flush()
    #expect(others.allSatisfy { $0.value == 1 && $0.error == nil })
    #expect(refused.allSatisfy { $0.value == 1 && isRefused($0.error) })
  }
}
#endif
