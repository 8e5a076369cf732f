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
