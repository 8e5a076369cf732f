import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import TestSupport
import Testing

/// F10: the batches of every kind of tracker, on every storage.
@Suite struct TrackerBatchTests {
  @Test(arguments: TrackerCase.all)
  func `Before a request there is nothing to pull, and no batch comes`(_ conformer: TrackerCase)
    throws
  {
    let store = try conformer.storage.makeGarage()
    let tracker = conformer.kind.make(store)
    let consumer = Consumer(tracker)
    try store.fillGarage()
    #expect(tracker.pull().isEmpty)
    #expect(consumer.batches.isEmpty)
    #expect(tracker.request() == nil)
    #expect(tracker.titles() == [])
  }

  @Test(arguments: TrackerCase.all)
  func `The first batch inserts each object once, in order, with its new path only`(
    _ conformer: TrackerCase
  ) throws {
    let store = try conformer.storage.makeGarage()
    try store.fillGarage()
    let tracker = conformer.kind.make(store)
    try tracker.setup(recentCars)
    let batch = tracker.pull()
    #expect(batch.changes.inserts.map(\.row) == [0, 1, 2, 3])
    #expect(batch.changes.count == 4)
    #expect(batch.paths[0].map(\.row) == [0, 1, 2, 3])
    #expect(batch.filterValue == "recent")
    #expect(batch.objectTypes == ["Car"])
    #expect(batch.changes.inserts.compactMap { batch.fresh[$0]?.id } == [2, 4, 3, 1])
  }

  @Test(arguments: TrackerCase.all)
  func `One commit is one batch, each kind in the order of its paths`(
    _ conformer: TrackerCase
  ) throws {
    let (store, tracker, consumer) = try conformer.makeFilled()
    try tracker.start(recentCars)
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

  @Test(arguments: TrackerCase.all)
  func `An update carries both paths, also where rows above it came or went`(
    _ conformer: TrackerCase
  ) throws {
    let (store, tracker, consumer) = try conformer.makeFilled()
    try tracker.start(recentCars)
    try store.commit { draft in
      try draft.insert(Car(id: 9, model: "Audi", year: 2001, owner: nil))
      try draft.update(Car.self, 1) { $0.year = 1995 }
    }
    let update = try #require(consumer.batches.last?.changes.updates.first)
    #expect(
      update == PositionChange(old: ListPath(section: 0, row: 3), new: ListPath(section: 0, row: 4))
    )
  }

  @Test(arguments: TrackerCase.all)
  func `A row that only might have changed, through others, isn't reported`(
    _ conformer: TrackerCase
  ) throws {
    let (store, tracker, consumer) = try conformer.makeFilled()
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

  @Test(arguments: TrackerCase.all)
  func `F4: a section that stays and whose title changes is updated, also by another request`(
    _ conformer: TrackerCase
  ) throws {
    let store = try conformer.storage.makeGarage()
    try store.fillGarage()
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
}
