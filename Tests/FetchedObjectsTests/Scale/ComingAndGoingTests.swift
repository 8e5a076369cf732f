@_spi(Inspection) import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Observation
import Relays
import TestSupport
import Testing

@testable import EntityStore

/// Models, derived models and observed objects that go while a commit is under way.
@Suite struct ComingAndGoingTests {
  private static let byYear = Query<Car>().sorted { [$0.year.ascending] }

  @Test func `F12, R3: observers of a store may come and go while others commit`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    LifetimeTracker.check { tracker in
      let reach = Reach()
      reach.set(store)
      let isDone = AtomicWord(0)
      let wrong = Counter()
      let told = Counter()
      let committers = (0..<2).map { thread in
        TestThread {
          var number = 0
          while isDone.load() == 0 {
            number += 1
            try? store.commit { draft in
              try draft.update(Car.self, 1) { $0.year = 2000 + number % 9 }
              try draft.update(Person.self, 1) { $0.name = "\(thread) \(number)" }
              try draft.upsert(Car(id: 10 + number % 5, model: "x", year: number % 3, owner: nil))
              if number % 4 == 0 { try? draft.delete(Car.self, 10 + (number + 2) % 5) }
            }
          }
        }
      }
      let followers = (0..<3).map { thread in
        TestThread {
          for round in 0..<60 {
            Self.follow(store, round, reach, tracker, told: told, wrong: wrong)
          }
        }
      }
      for thread in followers { thread.join() }
      isDone.store(1)
      for thread in committers { thread.join() }
      #expect(wrong.value == 0)
      #expect(reach.calls.value == 3 * 60)
      #expect(store.registry.withLock { $0.isEmpty })
    }
    // A model of the same query finds nothing of theirs.
    let next = try FetchedObjectsModel(byOwner, in: store)
    #expect(next.work.fetches == 1 && next.work.commits == 0)
  }

  /// Makes models of queries that others have too, and lets go of all in an order of its own.
  private static func follow(
    _ store: Store, _ round: Int, _ reach: Reach, _ tracker: LifetimeTracker, told: Counter,
    wrong: Counter
  ) {
    let queries = [byOwner, byYear, byYear.limit(2, offset: 1), byYear.filter { $0.year < 3 }]
    guard
      let model = try? FetchedObjectsModel(
        queries[round % 4], in: store, policy: round % 2 == 0 ? .every : .coalesced)
    else {
      wrong.add()
      return
    }
    let car = try? ObservedEntity<Car>(1, in: store) { $0.owner.name }
    let rows = model.filter { $0.year % 2 == 0 }
    let payload = CallingBack(reach, tracker)
    var tokens = [
      model.didChange.subscribe { event in
        told.add()
        _ = payload
        do {
          try event.changes.validate(old: event.before.rowCounts, new: event.after.rowCounts)
        } catch {
          wrong.add()
        }
      },
      model.steps.subscribe { _ in _ = payload },
      rows.didChange.subscribe { _ in _ = payload },
    ]
    if let car { tokens.append(car.didChange.subscribe { _ in _ = payload }) }
    withObservationTracking {
      _ = model.section(for: SectionID("Ann"))
      _ = rows.sectionIDs
    } onChange: {
      _ = payload
    }
    switch round % 5 {
    case 0: tokens.removeAll()
    case 1: model.pause()
    case 2: try? model.setQuery(queries[(round + 1) % 4])
    case 3: try? model.setWindow(offset: 0, limit: 1)
    default: break
    }
    withExtendedLifetime((model, car, rows, tokens)) {}
  }

  @Test func `F13: a model that a callback of the same commit releases publishes nothing more`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let first = try FetchedObjectsModel(Self.byYear, in: store)
    // Of the same result, and of one of its own.
    for query in [Self.byYear, Self.byYear.filter { $0.year > 0 }] {
      let second = Locked<FetchedObjectsModel<Car>?>(try FetchedObjectsModel(query, in: store))
      let told = Counter()
      let token = second.withLock { $0?.didChange.subscribe { _ in told.add() } }
      let dropping = first.didChange.subscribe { _ in _ = second.withLock { $0.take() } }
      try store.commit { try $0.update(Car.self, 1) { $0.year += 1 } }
      #expect(told.value == 0)
      withExtendedLifetime((token, dropping)) {}
    }
  }

  @Test func `F1: models may be made and dropped in a body and in a callback`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let first = try FetchedObjectsModel(Self.byYear, in: store)
    let calls = Counter()
    let token = first.willChange.subscribe { event in
      calls.add()
      let model = try? FetchedObjectsModel(Self.byYear, in: store)
      #expect(model?.snapshot.count == event.after.count)
      _ = try? ObservedEntity<Car>(1, in: store)
    }
    try store.commit { draft in
      try draft.delete(Car.self, 2)
      let model = try FetchedObjectsModel(Self.byYear, in: store)
      #expect(model.snapshot.count == 4)
      _ = try ObservedEntity<Car>(2, in: store)
    }
    #expect(first.snapshot.count == 3)
    #expect(calls.value == 1)
    withExtendedLifetime(token) {}
  }
}
