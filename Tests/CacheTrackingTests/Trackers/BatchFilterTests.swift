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
