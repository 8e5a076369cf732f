import CacheTracking
import EntityStore
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

/// Cars of a few years, with their owners: a commit to a car of other years doesn't concern them.
private let recent = Query<Car>().filter {
  $0.year > 1990
  $0.owner.name != nil
}
.sorted { [$0.model.ascending] }
.including { $0.owner.name }

/// F11: the commit after one that couldn't be read reads anew, though it concerns nothing that the query finds.
@Suite struct TrackerErrorTests {
  private let storage = FlakyStorage()
  private let store: Store

  init() throws {
    let storage = storage
    store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    try store.commit { try $0.insert(Car(id: 7, model: "Opel", year: 1960, owner: nil)) }
  }

  /// A commit that a tracker can't read, and then one to a car that isn't found.
  private func commitUnread(_ kind: TrackerKind) throws {
    // One that fetches again reads outside the commit.
    storage.isFailing.store(kind == .refetching ? 2 : 1)
    try store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 2000, owner: Ref(bob))) }
    storage.isFailing.store(0)
    try touchOther(1)
  }

  private func touchOther(_ year: Int) throws {
    try store.commit { try $0.update(Car.self, 7) { $0.year = year } }
  }

  @Test(arguments: TrackerKind.allCases)
  func `F10, F11: a tracker reads anew with any commit to its entities`(
    _ kind: TrackerKind
  ) throws {
    let tracker = kind.make(store, includesOwner: true)
    let consumer = Consumer(tracker)
    try tracker.start(CacheRequest(query: recent))
    let errors = Recorder(tracker.errors)
    try commitUnread(kind)
    #expect(errors.values.count == 1)
    #expect(consumer.ids == [[2, 5, 3, 1]])
    let count = consumer.batches.count
    try touchOther(2)
    #expect(consumer.batches.count == count)
    #expect(consumer.failures.isEmpty)
  }
}
