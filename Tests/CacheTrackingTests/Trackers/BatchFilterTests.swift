import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@Suite struct BatchFilterTests {
  @Test(arguments: [TrackerKind.results, .refetching], OracleQuery.all)
  func `A list that leaves rows out has paths of its own, after every commit`(
    _ kind: TrackerKind, _ oracle: OracleQuery
  ) throws {
    for seed in seeds(20) {
      let store = try TestStorage.memory.makeGarage()
      var writer = RandomWriter(random: SeededGenerator(seed: seed + 6000))
      for _ in 0..<3 { try writer.commitIfAllowed(store) }
      let tracker: any CacheTracker<Car, PlainRow> =
        kind == .results
        ? FetchedObjectsCacheTracker(in: store) {
          plain($0, includesOwner: oracle.includesOwner)
        }
        : RefetchingCacheTracker(in: store) { plain($0, includesOwner: oracle.includesOwner) }
      let all = PlainConsumer(tracker.batches, isSectioned: oracle.isSectioned)
      let some = PlainConsumer(
        tracker.batches.compactMapObjects { $0.year % 2 == 0 ? "\($0.id) \($0.year)" : nil },
        isSectioned: oracle.isSectioned)
      let others = PlainConsumer(
        tracker.batches.filterObjects { $0.year % 2 == 1 }, isSectioned: oracle.isSectioned)
      let mapped = PlainConsumer(
        tracker.batches.mapObjects(\.id), isSectioned: oracle.isSectioned)
      let years = PlainConsumer(
        tracker.batches.mapObjects(\.year).removeUnchanged(), isSectioned: oracle.isSectioned)
      try tracker.start(with: CacheRequest(query: oracle.query, filterValue: "tag"))
      for step in 0..<30 {
        try writer.commitIfAllowed(store)
        let rows = all.rows
        #expect(
          some.rows == rows.map { $0.filter { $0.year % 2 == 0 }.map { "\($0.id) \($0.year)" } },
          "seed \(seed), step \(step)")
        #expect(
          others.rows == rows.map { $0.filter { $0.year % 2 == 1 } }, "seed \(seed), step \(step)")
        #expect(mapped.rows == rows.map { $0.map(\.id) }, "seed \(seed), step \(step)")
        #expect(years.rows == rows.map { $0.map(\.year) }, "seed \(seed), step \(step)")
      }
      #expect(some.isEmptyEver == false)
      #expect(some.tags == ["tag"])
      withExtendedLifetime(tracker) {}
    }
  }

  @Test func `A row that is left out from now on is a delete of the object that was shown last`() {
    var filter = BatchFilter<Int, Int> { $0 > 0 ? $0 * 10 : nil }
    let first = filter.batch(of: CacheTransactionBatch(initialRows: [1, -2, 3], objectType: "Int"))
    #expect(first.insertTransactions.map(\.object) == [10, 30])
    #expect(first.insertTransactions.map { $0.updatedIndexPath?.row } == [0, 1])
    var batch = CacheTransactionBatch<Int>()
    for (row, value) in [-1, 2, 4].enumerated() {
      batch.add(
        CacheTransaction(
          object: value, objectType: "Int",
          change: .update(
            from: ListPath(section: 0, row: row), to: ListPath(section: 0, row: row))))
    }
    let next = filter.batch(of: batch)
    #expect(next.deleteTransactions.map(\.object) == [10])
    #expect(next.insertTransactions.map(\.object) == [20])
    #expect(next.insertTransactions.map { $0.updatedIndexPath?.row } == [0])
    #expect(next.updateTransactions.map { $0.oldIndexPath?.row } == [1])
    var rows = [10, 30]
    next.apply(to: &rows)
    #expect(rows == [20, 40])
  }

  @Test func `A list with sections that is empty at first has its sections later`() throws {
    let store = try TestStorage.memory.makeGarage()
    let tracker = FetchedObjectsCacheTracker<Car, Int>(in: store) { $0.id }
    let first = Recorder(tracker.batches.filterObjects { $0 % 2 == 1 })
    let odd = PlainConsumer(tracker.batches.filterObjects { $0 % 2 == 1 }, isSectioned: true)
    try tracker.start(with: CacheRequest(query: byOwner))
    #expect(first.values.map(\.isEmpty) == [true])
    #expect(odd.rows == [])
    try store.fillGarage()
    #expect(odd.rows == [[1], [3]])
    try store.commit { try $0.deleteAll(Car.self) }
    #expect(odd.rows == [])
    withExtendedLifetime(tracker) {}
  }

  @Test func `F10: a request that changes nothing in a shorter list is answered by an empty batch`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = FetchedObjectsCacheTracker<Car, Int>(in: store) { $0.id }
    let batches = Recorder(tracker.batches.compactMapObjects { $0 > 1 ? $0 : nil })
    let query = recentCars.query
    try tracker.start(with: recentCars)
    try tracker.setup(with: CacheRequest(query: query, filterValue: "same"))
    // The tag of a request may be the same as before, and rows that are left out may differ.
    try tracker.setup(with: CacheRequest(query: query, filterValue: "same"))
    try tracker.setup(
      with: CacheRequest(query: query.filter { $0.id != 1 }, filterValue: "others"))
    #expect(batches.values.map(\.filterValue) == ["recent", "same", "same", "others"])
    #expect(batches.values.map(\.isEmpty) == [false, true, true, true])
    try store.commit { try $0.insert(Car(id: 0, model: "Audi", year: 2001, owner: nil)) }
    #expect(batches.values.count == 4)
    withExtendedLifetime(tracker) {}
  }

  @Test(arguments: [TrackerKind.results, .refetching])
  func `D1: a change that doesn't show is left out, and a move of an equal row isn't`(
    _ kind: TrackerKind
  ) throws {
    let store = try TestStorage.memory.makeShowroom()
    let tracker: any CacheTracker<Auto, String> =
      kind == .results
      ? FetchedObjectsCacheTracker<Auto, String>(in: store) { $0.model }
      : RefetchingCacheTracker<Auto, String>(in: store) { $0.model }
    let all = Recorder(tracker.batches)
    let shown = Recorder(tracker.batches.removeUnchanged())
    try tracker.start(with: CacheRequest(query: Query<Auto>().sorted { [$0.mileage.ascending] }))
    try store.commit { try $0.update(Auto.self, 1) { $0.note = "x" } }
    #expect(all.values.count == 2)
    #expect(shown.values.count == 1)
    // The last row becomes the first one.
    try store.commit { try $0.update(Auto.self, 1) { $0.mileage = -1 } }
    #expect(shown.values.last?.moveTransactions.map(\.object) == ["Golf"])
    try store.commit { draft in
      try draft.update(Auto.self, 1) { $0.model = "Polo" }
      try draft.update(Auto.self, 2) { $0.note = "y" }
    }
    #expect(all.values.last?.count == 2)
    #expect(shown.values.last?.updateTransactions.map(\.object) == ["Polo"])
    #expect(shown.values.last?.count == 1)
    #expect(shown.values.count == 3)
    withExtendedLifetime(tracker) {}
  }
}

/// Keeps a list from batches alone.
private final class PlainConsumer<Row: Sendable>: Sendable {
  private struct State: Sendable {
    var list: [ListSection<Int, Row>]
    var count = 0
    var isEmptyEver = false
    var tags: Set<String?> = []
  }

  private let state: Locked<State>
  private let token = Locked<SubscriptionToken?>(nil)

  init(_ batches: Signal<CacheTransactionBatch<Row>>, isSectioned: Bool) {
    state = Locked(State(list: isSectioned ? [] : [ListSection(header: 0, rows: [])]))
    let token = batches.subscribe { [weak self] batch in
      self?.state.withLock { state in
        state.isEmptyEver = state.isEmptyEver || batch.isEmpty && state.count > 0
        state.count += 1
        state.tags.insert(batch.filterValue)
        do {
          try batch.applyIfValid(to: &state.list, header: { $0 }, make: { $0 })
        } catch {
          Issue.record("\(error) in \(batch.changes)")
        }
      }
    }
    self.token.withLock { $0 = token }
  }

  var rows: [[Row]] { state.withLock { $0.list.map(\.rows) } }
  var isEmptyEver: Bool { state.withLock { $0.isEmptyEver } }
  var tags: Set<String?> { state.withLock { $0.tags } }
}
