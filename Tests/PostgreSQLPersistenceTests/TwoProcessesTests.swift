#if PostgreSQL
import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import ListDiffing
import Locking
import PostgreSQLPersistence
import Relays
import TestSupport
import Testing

/// The number of commits that both processes make together, beside those of psql.
private let commitCount = rounds(1000)

private func texts(_ cars: some Sequence<Car>) -> [String] {
  cars.map { "\($0.id) \($0.model) \($0.year)" }
}

/// A list that is changed only by the events of a model.
private final class ReplayedCars {
  private let model: FetchedObjectsModel<Car>
  private let events: Recorder<ListEvent<EntityView<Car>>>
  private var copy: [Car]
  private var taken = 0

  init(_ store: Store) throws {
    model = try FetchedObjectsModel(
      Query<Car>().sorted { [$0.year.ascending, $0.model.descending] }, in: store)
    events = Recorder(model.didChange)
    copy = Array(model.fetchedObjects)
  }

  var lines: String { texts(copy).joined(separator: "\n") }

  /// Takes the events that have come, and says whether each began with the list before it.
  func follow() -> Bool {
    for event in events.values.dropFirst(taken) {
      guard texts(copy) == texts(event.before.objects) else { return false }
      event.changes.apply(to: &copy) { event.after[$0].value }
      taken += 1
    }
    return texts(copy) == texts(model.fetchedObjects)
  }

  /// Says whether the list is what a query gives.
  func isStored(in store: Store) throws -> Bool {
    texts(copy) == texts(try store.fetch(model.query))
  }
}

/// A statement of another tool.
private func statement(_ random: inout SeededGenerator) -> String {
  let id = Int.random(in: 0..<12, using: &random)
  let year = Int.random(in: 0..<4, using: &random)
  return switch Int.random(in: 0..<6, using: &random) {
  case 0:
    """
    BEGIN ISOLATION LEVEL REPEATABLE READ; UPDATE "Car" SET year = \(year) WHERE id = \(id); COMMIT
    """
  case 1:
    """
    BEGIN; SAVEPOINT a; DELETE FROM "Car" WHERE id < \(id); ROLLBACK TO a;
    UPDATE "Car" SET year = year + 1 WHERE id = \(id); COMMIT
    """
  case 2:
    #"""
    COPY "Car" (id, model, year, owner) FROM PROGRAM
      'printf "%s\tcopied\t\#(year)\t%s\n" \#(id + 20) "\N" \#(id + 40) "\N"'
    """#
  case 3: #"DELETE FROM "Car" WHERE id >= 20"#
  case 4 where id == 0: #"TRUNCATE "Car""#
  default: #"UPDATE "Car" SET model = model || '.' WHERE id % 3 = \#(id % 3)"#
  }
}

/// Commits on the one side until the other side has finished, too; the first side also runs psql.
///
/// - Returns: whether every event was exact, and what is shown at last.
private func takePart(
  _ side: Int, at connectionString: String, schema: String, count: Int
) throws -> (isExact: Bool, lines: String) {
  struct OtherSideIsGone: Error {}
  let store = try Store(
    .postgreSQL(
      connectionString, schema: schema, durability: .normal, waiting: patience, attempts: 1000),
    entities: [Person.self, Car.self])
  let cars = try ReplayedCars(store)
  let tool = side == 0 ? try Tool(connectionString, schema: schema) : nil
  var random = SeededGenerator(seed: UInt64(40 + side))
  for _ in 0..<count {
    let id = Int.random(in: 0..<12, using: &random)
    let year = Int.random(in: 0..<4, using: &random)
    let deletes = random.chance(0.25)
    try store.commit { draft in
      if try deletes && draft.find(Car.self, id) != nil { return try draft.delete(Car.self, id) }
      try draft.upsert(Car(id: id, model: "side \(side)", year: year, owner: nil))
    }
    if random.chance(0.3) { tool?.run(statement(&random)) }
  }
  try store.commit { try $0.insert(Person(id: 1000 + side, name: "done")) }
  guard becomesTrueBlocking({ (try? store.find(Person.self, 1001 - side)) != nil }) else {
    throw OtherSideIsGone()
  }
  try store.refresh()
  // The thread that follows others may still be delivering.
  let isTold = AtomicWord(0)
  Task.detached {
    await store.flush()
    isTold.store(1)
  }
  guard becomesTrueBlocking({ isTold.load() == 1 }) else { throw OtherSideIsGone() }
  let isExact = try cars.follow() && cars.isStored(in: store)
  return (isExact, cars.lines)
}

@Suite struct TwoProcessesTests {
  @Test(.timeLimit(.minutes(20)))
  func `P5: two processes and psql write at random, and events lead both to the same list`()
    async throws
  {
    let (connectionString, schema) = try TestServer.place()
    let side = temporaryPath("lines")
    let count = commitCount / 2
    tried(2 * count, "commits of two processes beside psql")
    _ = try Store(
      .postgreSQL(connectionString, schema: schema, waiting: patience),
      entities: [Person.self, Car.self])
    let child = Task {
      _ = await #expect(processExitsWith: .success) {
        [
          connectionString = connectionString as String, schema = schema as String,
          side = side as String, count = count as Int
        ]
        in
        let (isExact, lines) = try takePart(1, at: connectionString, schema: schema, count: count)
        try lines.write(toFile: side, atomically: true, encoding: .utf8)
        exit(isExact ? 0 : 1)
      }
    }
    let (isExact, lines) = try await onOwnThread {
      try takePart(0, at: connectionString, schema: schema, count: count)
    }
    await child.value
    #expect(isExact)
    #expect(try String(contentsOfFile: side, encoding: .utf8) == lines)
  }
}
#endif
