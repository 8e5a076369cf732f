import CacheTracking
import Dispatch
@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

/// What a tracker reads of a commit that can be read, and that nothing in its place shows yet.
@Suite struct TrackerTurnTests {
  /// How many cars the tracker tells of, and another model shows then.
  private typealias Counts = [Int]

  @Test(arguments: TrackerKind.allCases)
  func `F13: a tracker that reads a commit early delivers its first batch when all show it`(
    _ kind: TrackerKind
  ) throws {
    let storage = GatedStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let all = try FetchedObjectsModel(Query<Car>(), in: store)
    let tracker = kind.make(store, includesOwner: false)
    let counts = Recorder(
      tracker.batches.map { [$0.changes.inserts.count, all.snapshot.count] as Counts })
    let told = DispatchSemaphore(value: 0)
    let token = tracker.batches.subscribe { _ in told.signal() }
    try race(storage, store, told) {
      do { try tracker.start(CacheRequest(query: Query<Car>().filter { $0.year > 1990 })) } catch {
        Issue.record(error)
      }
    }
    #expect(counts.values == [[5, 5]])
    withExtendedLifetime(token) {}
  }

  @Test(arguments: TrackerKind.allCases)
  func `F13, P5: a tracker delivers an external commit when all models show it`(
    _ kind: TrackerKind
  ) throws {
    let (here, there) = try openTwice()
    let all = try FetchedObjectsModel(Query<Car>(), in: here)
    let tracker = kind.make(here, includesOwner: false)
    let commits = Recorder(here.commits)
    let counts = Recorder(
      tracker.batches.map {
        [$0.changes.inserts.count, all.snapshot.count, commits.values.count] as Counts
      })
    try insertFifth(there)
    try tracker.start(CacheRequest(query: Query<Car>().filter { $0.year > 1990 }))
    #expect(counts.values == [[5, 5, 1]])
  }

  @Test(arguments: TrackerKind.allCases)
  func `P5, F1: an external commit that is read ahead and undone is taken back`(
    _ kind: TrackerKind
  ) throws {
    let (here, there) = try openTwice()
    let isFirst = Locked(true)
    // Called before the tracker is: another store commits what only the next fetch finds.
    let token = here.commits.subscribe { _ in
      let mustCommit = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if !mustCommit { return }
      do { try there.commit { try $0.update(Car.self, 2) { $0.model = "z" } } } catch {
        Issue.record(error)
      }
    }
    let tracker = kind.make(here)
    let consumer = Consumer(tracker)
    try tracker.start(CacheRequest(query: Query<Car>().sorted { [$0.model.ascending] }))
    try here.commit { try $0.update(Car.self, 1) { $0.year += 1 } }
    try there.commit { try $0.update(Car.self, 2) { $0.model = "Fiat" } }
    try here.refresh()
    #expect(consumer.failures.isEmpty)
    #expect(
      consumer.list[0].rows.map(\.model) == (try here.fetch(Query<Car>()).map(\.model).sorted()))
    withExtendedLifetime(token) {}
  }
}
