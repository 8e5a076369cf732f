import CacheTracking
@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

/// F10: requests to every kind of tracker, on every storage, and those that can't be read.
@Suite struct TrackerRequestTests {
  @Test(arguments: TrackerCase.all)
  func `F10: setting up again delivers the difference with the new tag, also if it is empty`(
    _ conformer: TrackerCase
  ) throws {
    let (store, tracker, consumer) = try conformer.makeFilled()
    try tracker.start(recentCars)
    try tracker.setup(
      CacheRequest(Car.self, orderings: { [$0.model.descending] }, filterValue: "back"))
    #expect(consumer.batches.count == 2)
    #expect(consumer.batches.last?.filterValue == "back")
    #expect(consumer.ids == [[1, 3, 4, 2]])
    try tracker.setup(
      CacheRequest(
        Car.self, predicate: { $0.year > 0 }, orderings: { [$0.model.descending] },
        filterValue: "same"))
    try #require(consumer.batches.count == 3)
    #expect(consumer.batches[2].filterValue == "same")
    // An index-only list doesn't know that the rows are the same.
    let updates = conformer.kind == .indexOnly ? 4 : 0
    #expect(consumer.batches[2].changes.updates.count == updates)
    #expect(consumer.batches[2].changes.count == updates)
    try store.commit { try $0.delete(Car.self, 4) }
    #expect(consumer.ids == [[1, 3, 2]])
    #expect(consumer.batches.count == 4)
    #expect(consumer.batches.last?.filterValue == "same")
  }

  @Test(arguments: TrackerCase.all)
  func `F10: a request for another empty list is answered by an empty batch`(
    _ conformer: TrackerCase
  ) throws {
    let store = try conformer.storage.makeGarage()
    let tracker = conformer.kind.make(store)
    let consumer = Consumer(tracker)
    try tracker.start(recentCars)
    try tracker.setup(CacheRequest(Car.self, filterValue: "all"))
    #expect(consumer.batches.map(\.isEmpty) == [true, true])
    #expect(consumer.batches.map(\.filterValue) == ["recent", "all"])
    #expect(consumer.failures.isEmpty)
  }

  @Test(arguments: TrackerCase.all)
  func `From a list with sections to a flat one and back, also an empty one`(
    _ conformer: TrackerCase
  ) throws {
    let store = try conformer.storage.makeGarage()
    let tracker = conformer.kind.make(store)
    let consumer = Consumer(tracker)
    let sectioned = CacheRequest(query: byOwner)
    try tracker.start(recentCars)
    #expect(consumer.ids == [[]])
    try tracker.setup(sectioned)
    #expect(consumer.ids == [])
    try tracker.setup(recentCars)
    #expect(consumer.ids == [[]])
    try store.fillGarage()
    #expect(consumer.ids == [[2, 4, 3, 1]])
    try tracker.setup(sectioned)
    #expect(consumer.ids == [[2, 1], [3]])
    #expect(consumer.list.map(\.header) == ["Ann", "Bob"])
    #expect(consumer.failures.isEmpty)
  }

  @Test(arguments: TrackerKind.allCases)
  func `A request that can't be read throws, and the one before stays`(_ kind: TrackerKind)
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let tracker = kind.make(store)
    let consumer = Consumer(tracker)
    try tracker.start(recentCars)
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
  func `An error of a later read is in errors, and the next commit catches up`(
    _ kind: TrackerKind
  ) throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let tracker = kind.make(store, includesOwner: true)
    let consumer = Consumer(tracker, isSectioned: true)
    let errors = Recorder(tracker.errors)
    try tracker.start(CacheRequest(query: byOwner))
    // One that fetches again reads outside the commit.
    storage.isFailing.store(kind == .refetching ? 2 : 1)
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
    try #require(consumer.list.map(\.header) == ["Amy", "Bob"])
    #expect(consumer.list[0].rows[0].ownerName == "Amy")
    #expect(consumer.batches.count == 2)
    #expect(consumer.failures.isEmpty)
  }

  @Test(arguments: TrackerCase.all)
  func `An entity that the store doesn't have is a typed error`(_ conformer: TrackerCase) throws {
    let store = try conformer.storage.makeStore([Person.self])
    let tracker = conformer.kind.make(store)
    #expect(throws: StoreError.unknownEntity("Car")) { try tracker.setup(recentCars) }
    #expect(tracker.request() == nil)
  }
}
