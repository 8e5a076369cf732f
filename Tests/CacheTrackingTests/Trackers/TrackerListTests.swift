import CacheTracking
@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import TestSupport
import Testing

/// F10: every kind of tracker, on every storage, leads who applies its batches to the right list.
@Suite struct TrackerListTests {
  @Test(.oneThread, arguments: TrackerCase.all, OracleQuery.all)
  func `F10: after random commits a consumer that applies each batch by D2 has the list`(
    _ conformer: TrackerCase, _ oracle: OracleQuery
  ) throws {
    let worlds = seeds(conformer.storage == .memory ? 30 : 4)
    var batches = 0
    for seed in worlds {
      let store = try conformer.storage.makeGarage()
      var writer = RandomWriter(random: SeededGenerator(seed: seed + 1000))
      for _ in 0..<3 { try writer.commitIfAllowed(store) }
      let tracker = conformer.kind.make(store, includesOwner: oracle.includesOwner)
      let consumer = Consumer(tracker, isSectioned: oracle.isSectioned)
      try tracker.start(CacheRequest(query: oracle.query, filterValue: "tag"))
      // The first one comes the same way, and before all others.
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
        // One for a commit that concerns the result, none for any other, none empty.
        #expect(new.count == (expected == last ? 0 : 1), "\(trace): the number of batches")
        #expect(new.allSatisfy { !$0.isEmpty && $0.filterValue == "tag" }, "\(trace)")
        #expect(new.allSatisfy { $0.objectTypes.isSubset(of: ["Car"]) }, "\(trace)")
        #expect(consumer.list.map(\.header) == tracker.titles(), "\(trace): titles")
        if !oracle.isSectioned {
          #expect(new.allSatisfy { !$0.changes.hasSectionChanges }, "\(trace): a flat list")
        }
        batches += new.count
        last = expected
      }
    }
    #expect(batches > worlds.count * 5)
  }

  @Test(.oneThread, arguments: TestStorage.withServer, OracleQuery.all)
  func `F10: all trackers that follow a model publish the same changes of every commit`(
    _ storage: TestStorage, _ oracle: OracleQuery
  ) throws {
    let kinds: [TrackerKind] = [.results, .indexOnly]
    for seed in seeds(storage == .memory ? 20 : 3) {
      let store = try storage.makeGarage()
      var writer = RandomWriter(random: SeededGenerator(seed: seed + 2000))
      let consumers = try kinds.map { kind in
        let tracker = kind.make(store, includesOwner: oracle.includesOwner)
        let consumer = Consumer(tracker, isSectioned: oracle.isSectioned)
        try tracker.setup(CacheRequest(query: oracle.query))
        return (tracker, consumer)
      }
      for _ in 0..<40 { try writer.commitIfAllowed(store) }
      let changes = consumers.map { $0.1.batches.map(\.changes) }
      #expect(changes[0].count > 10)
      for (kind, other) in zip(kinds, changes) {
        #expect(other.count == changes[0].count, "\(kind), seed \(seed)")
        for (step, (a, b)) in zip(changes[0], other).enumerated() {
          #expect(a == b, "\(kind), \(oracle.name), seed \(seed), batch \(step)")
        }
      }
    }
  }

  @Test(arguments: TrackerCase.all)
  func `Another request at any time, pulls and pauses leave the consumer with its list`(
    _ conformer: TrackerCase
  ) throws {
    for seed in seeds(conformer.storage == .memory ? 30 : 4) {
      let store = try conformer.storage.makeGarage()
      var random = SeededGenerator(seed: seed + 3000)
      var writer = RandomWriter(random: SeededGenerator(seed: seed + 4000))
      for _ in 0..<3 { try writer.commitIfAllowed(store) }
      let tracker = conformer.kind.make(store, includesOwner: true)
      let consumer = Consumer(tracker, isSectioned: OracleQuery.shown[0].isSectioned)
      var oracle = OracleQuery.shown[0]
      try tracker.start(CacheRequest(query: oracle.query))
      func ask() throws {
        oracle = OracleQuery.shown.randomElement(using: &random)!
        let request = CacheRequest(query: oracle.query, filterValue: oracle.name)
        try random.chance(0.5) ? tracker.setup(request) : tracker.start(request)
        #expect(tracker.request()?.filterValue == oracle.name)
      }
      for step in 0..<30 {
        let trace = "\(conformer.testDescription), seed \(seed), step \(step)"
        switch Int.random(in: 0..<5, using: &random) {
        case 0: try ask()
        case 1:
          let count = consumer.batches.count
          tracker.base.pause()
          try writer.commitIfAllowed(store)
          if random.chance(0.5) { try ask() }
          try writer.commitIfAllowed(store)
          #expect(consumer.batches.count == count, "\(trace): a pause")
          tracker.base.resume()
          #expect(consumer.batches.count <= count + 1, "\(trace): a pause")
        case 2:
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

  @Test(arguments: TrackerCase.all)
  func `With others committing all the while, the first batch is first and none is lost`(
    _ conformer: TrackerCase
  ) async throws {
    let commits = conformer.storage == .memory ? 300 : 40
    for round in 0..<rounds(conformer.storage == .memory ? 10 : 2) {
      let store = try conformer.storage.makeGarage()
      try store.fillGarage()
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
  func `A commit during the first read is in the list or delivered`(_ kind: TrackerKind)
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    storage.interruption.withLock {
      $0 = { try? store.commit { try $0.delete(Car.self, 2) } }
    }
    let tracker = kind.make(store)
    let consumer = Consumer(tracker)
    try tracker.start(recentCars)
    #expect(consumer.ids == [[4, 3, 1]])
    #expect(consumer.failures.isEmpty)
  }
}
