import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Relays
import TestSupport
import Testing

/// F5: an included object that comes or goes is a change, also if all that is included of it is nil.
@Suite struct TrackerIncludedTests {
  @Test(arguments: [false, true])
  @MainActor func `F10, F5: a tracker's difference of two requests has it`(
    _ hasModel: Bool
  ) throws {
    let store = try makeChieflessFleet(.memory)
    let tracker: any CacheTracker<Driver, Bool> =
      hasModel
      ? FetchedObjectsCacheTracker(in: store, delivery: .mainActor) { $0.chief != nil }
      : RefetchingCacheTracker(in: store, delivery: .mainActor) { $0.chief != nil }
    let batches = Recorder(tracker.batches)
    try tracker.setup(with: CacheRequest(query: driversByID))
    // From another thread, so that the tracker hasn't shown it yet.
    TestThread { try? insertChief(store) }.join()
    try tracker.setup(with: CacheRequest(query: driversByIDAndName, filterValue: "by name"))
    // Where the commit comes first, the request's own batch is empty.
    #expect(batches.values.filter { $0.filterValue == "by name" }.count == 1)
    let changes = batches.values.filter { !$0.isEmpty }
    #expect(changes.map { $0.updateTransactions.map(\.object) } == [[true]])
    #expect(changes.first?.changes.count == 1)
  }
}
