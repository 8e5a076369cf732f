import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Relays
import TestSupport
import Testing

private let byID = Query<Driver>().filter { $0.id < 9 }.sorted { [$0.id.ascending] }.including {
  $0.chief.age
}
private let alsoByName = Query<Driver>().filter { $0.id < 9 }
  .sorted { [$0.id.ascending, $0.name.ascending] }.including { $0.chief.age }

/// F5: an included object that comes or goes is a change, also if all that is included of it is nil.
@Suite struct TrackerIncludedTests {
  /// Drivers 1 and 2; the chief of 2 is missing.
  private func makeStore(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeDriverFleet()
    try store.commit { draft in
      try draft.insert(Driver(id: 1, name: "Ann", age: 30, firm: nil, chief: nil))
      try draft.insert(Driver(id: 2, name: "Bob", age: 40, firm: nil, chief: Ref(9)))
    }
    return store
  }

  private static func insertChief(_ store: Store) throws {
    try store.commit {
      try $0.insert(Driver(id: 9, name: "Eve", age: nil, firm: nil, chief: nil))
    }
  }

  @Test(arguments: [false, true])
  @MainActor func `F10, F5: a tracker's difference of two requests has it`(
    _ hasModel: Bool
  ) throws {
    let store = try makeStore(.memory)
    let tracker: any CacheTracker<Driver, Bool> =
      hasModel
      ? FetchedObjectsCacheTracker(in: store, delivery: .mainActor) { $0.chief != nil }
      : RefetchingCacheTracker(in: store, delivery: .mainActor) { $0.chief != nil }
    let batches = Recorder(tracker.batches)
    try tracker.setup(with: CacheRequest(query: byID))
    // From another thread, so that the tracker hasn't shown it yet.
    TestThread { try? Self.insertChief(store) }.join()
    try tracker.setup(with: CacheRequest(query: alsoByName))
    #expect(batches.values.map { $0.updateTransactions.map(\.object) } == [[true]])
    #expect(batches.values.first?.changes.count == 1)
  }
}
