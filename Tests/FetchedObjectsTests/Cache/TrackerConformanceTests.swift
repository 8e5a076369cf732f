import EntityStore
import FetchedObjects
import ListDiffing
import Locking
import Relays
import TestSupport
import SQLitePersistence
import Testing

/// F10: every kind of tracker, on every storage.
@Suite struct TrackerConformanceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let kind: TrackerKind
    let storage: TestStorage
    var testDescription: String { "\(kind) on \(storage)" }

    static let all = TrackerKind.allCases.flatMap { kind in
      TestStorage.allCases.map { Case(kind: kind, storage: $0) }
    }
  }

  private static let request = CacheRequest(
    Car.self, predicate: { $0.year > 1990 }, orderings: { [$0.model.ascending] },
    filterValue: "recent")

  @Test(arguments: Case.all, OracleQuery.all)
  func `F10: after random commits a consumer that applies each batch by D2 has the list`(
    _ conformer: Case, _ oracle: OracleQuery
  ) throws {
    let rounds = conformer.storage == .memory ? 30 : 4
    var batches = 0
    for seed in 0..<rounds {
      let store = try conformer.storage.makeGarage()
      var writer = RandomWriter(random: SeededGenerator(seed: seed + 1000))
      for _ in 0..<3 { try writer.commitIfAllowed(store) }
      let tracker = conformer.kind.make(store, includesOwner: oracle.includesOwner)
      let consumer = Consumer(tracker, isSectioned: oracle.isSectioned)
      try tracker.start(CacheRequest(query: oracle.query, filterValue: "tag"))
      // Items 11, 34 and 35: the first one comes the same way, and before all others.
      #expect(consumer.batches.count == 1)
      var last = try oracle.expectedList(store)
      #expect(consumer.list == last)
      for step in 0..<30 {
        let trace = "\(conformer.testDescription), \(oracle.name), seed \(seed), step \(step)"
        let told = consumer.batches.count
        if step % 7 == 3 {
          // A commit that fails tells nobody.
          #expect(throws: CancellationError.self) {
            try store.commit { draft in
              try draft.deleteAll(Car.self)
              throw CancellationError()
            }
          }
          #expect(consumer.batches.count == told, "\(trace): a failed commit")
        }
        try writer.commitIfAllowed(store)
        let expected = try oracle.expectedList(store)
        #expect(consumer.failures.isEmpty, "\(trace): \(consumer.failures)")
        #expect(consumer.list == expected, "\(trace)")
        let new = consumer.batches.dropFirst(told)
        // Items 32 and 33: one for a commit that concerns the result, none for any other, none empty.
        #expect(new.count == (expected == last ? 0 : 1), "\(trace): the number of batches")
        #expect(new.allSatisfy { !$0.isEmpty && $0.filterValue == "tag" }, "\(trace)")
        // Items 28 and 36.
        #expect(new.allSatisfy { $0.objectTypes.isSubset(of: ["Car"]) }, "\(trace)")
        #expect(consumer.list.map(\.header) == tracker.titles(), "\(trace): titles")
        // Item 22.
        if !oracle.isSectioned {
          #expect(new.allSatisfy { !$0.changes.hasSectionChanges }, "\(trace): a flat list")
        }
        batches += new.count
        last = expected
      }
    }
    #expect(batches > rounds * 5)
  }

  @Test(arguments: TestStorage.allCases, OracleQuery.all)
  func `F10: all implementations tell the same changes of every commit`(
    _ storage: TestStorage, _ oracle: OracleQuery
  ) throws {
    for seed in 0..<(storage == .memory ? 20 : 3) {
      let store = try storage.makeGarage()
      var writer = RandomWriter(random: SeededGenerator(seed: seed + 2000))
      let consumers = try TrackerKind.allCases.map { kind in
        let tracker = kind.make(store, includesOwner: oracle.includesOwner)
        let consumer = Consumer(tracker, isSectioned: oracle.isSectioned)
        try tracker.setup(CacheRequest(query: oracle.query))
        return (tracker, consumer)
      }
      for _ in 0..<40 { try writer.commitIfAllowed(store) }
      let changes = consumers.map { $0.1.batches.map(\.changes) }
      #expect(changes[0].count > 10)
      for (kind, other) in zip(TrackerKind.allCases, changes) {
        #expect(other.count == changes[0].count, "\(kind), seed \(seed)")
        for (step, (a, b)) in zip(changes[0], other).enumerated() {
          #expect(a == b, "\(kind), \(oracle.name), seed \(seed), batch \(step)")
        }
      }
    }
  }

  @Test(arguments: Case.all)
  func `18: another request at any time, and pulls between, leave the consumer with its list`(
    _ conformer: Case
  ) throws {
    for seed in 0..<(conformer.storage == .memory ? 30 : 4) {
      let store = try conformer.storage.makeGarage()
      var random = SeededGenerator(seed: seed + 3000)
      var writer = RandomWriter(random: SeededGenerator(seed: seed + 4000))
      for _ in 0..<3 { try writer.commitIfAllowed(store) }
      let tracker = conformer.kind.make(store, includesOwner: true)
      let consumer = Consumer(tracker, isSectioned: OracleQuery.shown[0].isSectioned)
      var oracle = OracleQuery.shown[0]
      try tracker.start(CacheRequest(query: oracle.query))
      for step in 0..<30 {
        let trace = "\(conformer.testDescription), seed \(seed), step \(step)"
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          oracle = OracleQuery.shown.randomElement(using: &random)!
          let request = CacheRequest(query: oracle.query, filterValue: oracle.name)
          try random.chance(0.5) ? tracker.setup(request) : tracker.start(request)
          #expect(tracker.request()?.filterValue == oracle.name)
        case 1:
          // A pull is the whole list and changes nothing for who goes on from there.
          var list: PlainList = oracle.isSectioned ? [] : [ListSection(header: "", rows: [])]
          try tracker.pull().apply(to: &list)
          #expect(list == (try oracle.expectedList(store)), "\(trace): a pull")
        default: try writer.commitIfAllowed(store)
        }
        #expect(consumer.failures.isEmpty, "\(trace): \(consumer.failures)")
        #expect(consumer.list == (try oracle.expectedList(store)), "\(trace): \(oracle.name)")
      }
    }
  }

  @Test(arguments: Case.all)
  func `18: setting up again tells the difference with the new tag, and nothing if there is none`(
    _ conformer: Case
  ) throws {
    let store = try conformer.storage.makeGarage()
    try store.fill()
    let tracker = conformer.kind.make(store)
    let consumer = Consumer(tracker)
    try tracker.start(Self.request)
    try tracker.setup(
      CacheRequest(Car.self, orderings: { [$0.model.descending] }, filterValue: "back"))
    #expect(consumer.batches.count == 2)
    #expect(consumer.batches.last?.filterValue == "back")
    #expect(consumer.ids == [[1, 3, 4, 2]])
    try tracker.setup(
      CacheRequest(
        Car.self, predicate: { $0.year > 0 }, orderings: { [$0.model.descending] }))
    #expect(consumer.batches.count == 2)
    try store.commit { try $0.delete(Car.self, 4) }
    #expect(consumer.ids == [[1, 3, 2]])
    #expect(consumer.batches.last?.filterValue == nil)
  }

  @Test(arguments: Case.all)
  func `18: from a list with sections to a flat one and back, also an empty one`(
    _ conformer: Case
  ) throws {
    let store = try conformer.storage.makeGarage()
    let tracker = conformer.kind.make(store)
    let consumer = Consumer(tracker)
    let sectioned = CacheRequest(query: byOwner)
    try tracker.start(Self.request)
    #expect(consumer.ids == [[]])
    try tracker.setup(sectioned)
    #expect(consumer.ids == [])
    try tracker.setup(Self.request)
    #expect(consumer.ids == [[]])
    try store.fill()
    #expect(consumer.ids == [[2, 4, 3, 1]])
    try tracker.setup(sectioned)
    #expect(consumer.ids == [[2, 1], [3]])
    #expect(consumer.list.map(\.header) == ["Ann", "Bob"])
    #expect(consumer.failures.isEmpty)
  }

  @Test(arguments: Case.all)
  func `F4: a section that stays and whose title changes is updated, also by another request`(
    _ conformer: Case
  ) throws {
    let store = try conformer.storage.makeGarage()
    try store.fill()
    let query = Query<Car>().filter { $0.owner.name != nil }
    let byName = query.sectioned(
      by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.id.ascending })
    let byAge = query.sectioned(
      by: { $0.owner.id }, title: { $0.owner.age }, order: { $0.owner.id.ascending })
    let tracker = conformer.kind.make(store)
    let consumer = Consumer(tracker, isSectioned: true)
    try tracker.start(CacheRequest(query: byName))
    #expect(consumer.list.map(\.header) == ["Ann", "Bob"])
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Zoe" } }
    #expect(consumer.list.map(\.header) == ["Zoe", "Bob"])
    #expect(consumer.batches.last?.changes.updatedSections.map(\.old) == [0])
    try tracker.setup(CacheRequest(query: byAge))
    #expect(consumer.list.map(\.header) == ["30", ""])
    #expect(consumer.batches.last?.changes.updatedSections.map(\.old) == [0, 1])
    #expect(consumer.batches.last?.changes.hasSectionChanges == true)
    #expect(consumer.failures.isEmpty)
    // An age that isn't shown any more tells nobody, and a name that isn't shown neither.
    let told = consumer.batches.count
    try store.commit { try $0.update(Person.self, 2) { $0.age = nil } }
    #expect(consumer.batches.count == told)
  }

  @Test(arguments: Case.all)
  func `32: a row that only might have changed, through others, isn't told`(
    _ conformer: Case
  ) throws {
    let store = try conformer.storage.makeGarage()
    try store.fill()
    let tracker = conformer.kind.make(store)
    let consumer = Consumer(tracker)
    try tracker.start(
      CacheRequest(Car.self, predicate: { $0.owner.cars.count { $0.year > 2000 } > 0 }))
    #expect(consumer.ids == [[1, 2, 3]])
    // Ann's other car reads this one, and what it reads is as it was.
    try store.commit { try $0.update(Car.self, 2) { $0.year = 2005 } }
    #expect(consumer.batches.last?.changes.count == 1)
    try store.commit { try $0.update(Car.self, 2) { $0.year = 1999 } }
    #expect(consumer.ids == [[3]])
    #expect(consumer.failures.isEmpty)
  }

  @Test(arguments: Case.all)
  func `15: before a request there is nothing to pull, and no batch comes`(_ conformer: Case) throws
  {
    let store = try conformer.storage.makeGarage()
    let tracker = conformer.kind.make(store)
    let consumer = Consumer(tracker)
    try store.fill()
    #expect(tracker.pull().isEmpty)
    #expect(consumer.batches.isEmpty)
    #expect(tracker.request() == nil)
    #expect(tracker.titles() == [])
  }

  @Test(arguments: Case.all)
  func `25, 26: the first batch inserts each object once, in order, with its new path only`(
    _ conformer: Case
  ) throws {
    let store = try conformer.storage.makeGarage()
    try store.fill()
    let tracker = conformer.kind.make(store)
    try tracker.setup(Self.request)
    let batch = tracker.pull()
    #expect(batch.changes.inserts.map(\.row) == [0, 1, 2, 3])
    #expect(batch.changes.count == 4)
    #expect(batch.paths[0].map(\.row) == [0, 1, 2, 3])
    #expect(batch.filterValue == "recent")
    #expect(batch.objectTypes == ["Car"])
    #expect(batch.changes.inserts.compactMap { batch.fresh[$0]?.id } == [2, 4, 3, 1])
  }

  @Test(arguments: Case.all)
  func `29, 30, 33: one commit is one batch, each kind in the order of its paths`(
    _ conformer: Case
  ) throws {
    let store = try conformer.storage.makeGarage()
    try store.fill()
    let tracker = conformer.kind.make(store)
    let consumer = Consumer(tracker)
    try tracker.start(Self.request)
    try store.commit { draft in
      try draft.insert(Car(id: 9, model: "Audi", year: 2001, owner: nil))
      try draft.update(Car.self, 2) { $0.model = "Zil" }
      try draft.update(Car.self, 3) { $0.year = 2015 }
      try draft.delete(Car.self, 4)
      try draft.insert(Car(id: 8, model: "BMW", year: 2002, owner: nil))
      // A savepoint in the body is part of it.
      try store.commit { try $0.insert(Car(id: 7, model: "Lada", year: 2002, owner: nil)) }
    }
    #expect(consumer.batches.count == 2)
    let batch = try #require(consumer.batches.last)
    #expect(batch.paths.map { $0.map(\.row) } == [[0, 1, 2], [3], [1], [5]])
    #expect(consumer.ids == [[9, 8, 7, 3, 1, 2]])
  }

  @Test(arguments: Case.all)
  func `66: an update carries both paths, also where rows above it came or went`(
    _ conformer: Case
  ) throws {
    let store = try conformer.storage.makeGarage()
    try store.fill()
    let tracker = conformer.kind.make(store)
    let consumer = Consumer(tracker)
    try tracker.start(Self.request)
    try store.commit { draft in
      try draft.insert(Car(id: 9, model: "Audi", year: 2001, owner: nil))
      try draft.update(Car.self, 1) { $0.year = 1995 }
    }
    let update = try #require(consumer.batches.last?.changes.updates.first)
    #expect(
      update == PositionChange(old: ListPath(section: 0, row: 3), new: ListPath(section: 0, row: 4))
    )
  }

  @Test(arguments: Case.all)
  func `23, 35: with others committing all the while, the first batch is first and none is lost`(
    _ conformer: Case
  ) async throws {
    let commits = conformer.storage == .memory ? 300 : 40
    for round in 0..<(conformer.storage == .memory ? 10 : 2) {
      let store = try conformer.storage.makeGarage()
      try store.fill()
      let threads = (0..<2).map { thread in
        TestThread {
          var writer = RandomWriter(random: SeededGenerator(seed: round * 2 + thread))
          for _ in 0..<commits { try? writer.commitIfAllowed(store) }
        }
      }
      let oracle = OracleQuery.all[2]
      let tracker = conformer.kind.make(store, includesOwner: true)
      let consumer = Consumer(tracker, isSectioned: true)
      try tracker.start(CacheRequest(query: oracle.query))
      for thread in threads { thread.join() }
      await store.flush()
      #expect(consumer.failures.isEmpty, "\(conformer.testDescription): \(consumer.failures)")
      #expect(consumer.list == (try oracle.expectedList(store)), "\(conformer.testDescription)")
      let first = try #require(consumer.batches.first?.changes)
      #expect(
        first.deletes.isEmpty && first.moves.isEmpty && first.updates.isEmpty
          && first.deletedSections.isEmpty)
    }
  }

  @Test(arguments: TrackerKind.allCases)
  func `23: a commit while the first list is being read is in it or told`(_ kind: TrackerKind)
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fill()
    storage.interruption.withLock {
      $0 = { try? store.commit { try $0.delete(Car.self, 2) } }
    }
    let tracker = kind.make(store)
    let consumer = Consumer(tracker)
    try tracker.start(Self.request)
    #expect(consumer.ids == [[4, 3, 1]])
    #expect(consumer.failures.isEmpty)
  }

  @Test(arguments: TrackerKind.allCases)
  func `24: a request that can't be read throws, and the one before stays`(_ kind: TrackerKind)
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fill()
    let tracker = kind.make(store)
    let consumer = Consumer(tracker)
    try tracker.start(Self.request)
    storage.isFailing.store(2)
    #expect(throws: FlakyStorage.ReadFailure.self) {
      try tracker.setup(CacheRequest(Car.self, orderings: { [$0.year.ascending] }))
    }
    storage.isFailing.store(0)
    #expect(tracker.request()?.filterValue == "recent")
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(consumer.ids == [[2, 4, 3]])
    #expect(consumer.batches.count == 2)
  }

  @Test(arguments: TrackerKind.allCases)
  func `24: an error of a later read is in errors, and the next commit catches up`(
    _ kind: TrackerKind
  ) throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fill()
    let tracker = kind.make(store, includesOwner: true)
    let consumer = Consumer(tracker, isSectioned: true)
    let errors = Recorder(tracker.errors)
    try tracker.start(CacheRequest(query: byOwner))
    storage.isFailing.store(1)
    try store.commit { draft in
      try draft.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(bob)))
    }
    #expect(errors.values.count == 1)
    #expect(consumer.batches.count == 1)
    storage.isFailing.store(0)
    try store.commit { draft in
      try draft.delete(Car.self, 2)
      try draft.update(Person.self, 1) { $0.name = "Amy" }
    }
    #expect(consumer.ids == [[1], [5, 3]])
    #expect(consumer.list.map(\.header) == ["Amy", "Bob"])
    #expect(consumer.list[0].rows[0].ownerName == "Amy")
    #expect(consumer.batches.count == 2)
    #expect(consumer.failures.isEmpty)
  }

  @Test(arguments: Case.all)
  func `24: an entity that the store doesn't have is a typed error`(_ conformer: Case) throws {
    let store = try conformer.storage.makeStore([Person.self])
    let tracker = conformer.kind.make(store)
    #expect(throws: StoreError.unknownEntity("Car")) { try tracker.setup(Self.request) }
    #expect(tracker.request() == nil)
  }

  @Test(arguments: TrackerKind.allCases)
  @MainActor func `16: a tracker of the main actor delivers there`(_ kind: TrackerKind) throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fill()
    let tracker = kind.make(store, delivery: .mainActor)
    let screen = Screen()
    screen.token = tracker.batches.subscribe(on: .mainActor) { screen.ids.append($0.changes.count) }
    try tracker.start(Self.request)
    #expect(screen.ids == [4])
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(screen.ids == [4, 1])
  }

  @Test(arguments: TrackerKind.allCases)
  func `16: a tracker of an actor delivers there, in order`(_ kind: TrackerKind) async throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fill()
    let desk = Desk()
    let tracker = kind.make(store, delivery: .on(desk))
    await desk.listen(tracker)
    try tracker.start(Self.request)
    for id in 10..<30 {
      try store.commit { try $0.insert(Car(id: id, model: "\(id)", year: 2000, owner: nil)) }
    }
    await store.flush()
    #expect(await desk.counts == [4] + [Int](repeating: 1, count: 20))
  }

  @Test(arguments: TrackerKind.allCases)
  func `a tracker goes when its owner drops it, and tells nobody any more`(_ kind: TrackerKind)
    throws
  {
    try LifetimeTracker.check { lifetime in
      let store = try TestStorage.memory.makeGarage()
      try store.fill()
      let object = lifetime.track()
      let told = Locked(0)
      var tracker: TestTracker? = kind.make(store)
      let token = tracker?.batches.subscribe { _ in
        told.withLock { $0 += 1 }
        _ = object
      }
      try tracker?.start(Self.request)
      weak let base = tracker?.base
      tracker = nil
      #expect(base == nil)
      try store.commit { try $0.delete(Car.self, 1) }
      #expect(told.withLock { $0 } == 1)
      token?.cancel()
    }
  }

  @Test(arguments: TrackerKind.allCases)
  func `a callback may commit, pull, set up and drop the tracker`(_ kind: TrackerKind) throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fill()
    let tracker = Locked<TestTracker?>(kind.make(store))
    let steps = Locked(0)
    let token = tracker.withLock { $0 }?.batches.subscribe { _ in
      let step = steps.withLock { steps in
        steps += 1
        return steps
      }
      let current = tracker.withLock { $0 }
      switch step {
      case 1: try? store.commit { try $0.delete(Car.self, 1) }
      case 2:
        _ = current?.pull()
        try? current?.setup(CacheRequest(Car.self))
      default: tracker.withLock { $0 = nil }
      }
    }
    try tracker.withLock { $0 }?.start(Self.request)
    #expect(steps.withLock { $0 } == 3)
    #expect(tracker.withLock { $0 } == nil)
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(steps.withLock { $0 } == 3)
    token?.cancel()
  }
}

@MainActor private final class Screen {
  var ids: [Int] = []
  var token: SubscriptionToken?
}

private actor Desk {
  private(set) var counts: [Int] = []
  private var token: SubscriptionToken?

  func listen(_ tracker: TestTracker) {
    token = tracker.batches.subscribe(on: self) { me, batch in me.counts.append(batch.changes.count)
    }
  }
}

extension OracleQuery {
  /// Those whose rows can be shown by one tracker: all include the owner's name.
  static let shown = all.map { oracle in
    OracleQuery(
      name: oracle.name, query: oracle.query.including { $0.owner.name }, includesOwner: true,
      isSectioned: oracle.isSectioned, belongs: oracle.belongs, section: oracle.section,
      keys: oracle.keys)
  }
}

extension TestStorage {
  func makeStore(_ entities: [any Entity.Type]) throws -> Store {
    switch self {
    case .memory: try Store(.inMemory, entities: entities)
    case .file:
      try Store(.sqlite(path: temporaryPath("store"), durability: .normal), entities: entities)
    }
  }
}
