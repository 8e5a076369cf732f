import CacheTracking
import Dispatch
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Relays
import TestSupport
import Testing

/// What a tracker reads of a commit that can be read, and that nothing in its place shows yet.
@Suite struct TrackerTurnTests {
  /// How many cars the tracker tells of, and another model shows then.
  private typealias Counts = [Int]

  @Test(arguments: TrackerKind.allCases)
  func `F13: a tracker that reads a commit ahead tells its first batch when all show it`(
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
  func `F13, P5: a tracker tells of an external commit when all models show it`(
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
}
