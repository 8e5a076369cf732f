@_spi(Storage) import EntityStore
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@_spi(Inspection) @testable import FetchedObjects

@Suite struct ErrorTests {
  @Test func `F11: an error ends nothing; the last result stays, and the next commit catches up`()
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let car = try ObservedEntity<Car>(1, in: store) { $0.owner.name }
    let events = Recorder(model.didChange)
    let changes = Recorder(car.didChange)
    let errors = Recorder(model.errors)
    let carErrors = Recorder(car.errors)

    storage.isFailing.store(1)
    try store.commit { draft in
      try draft.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(bob)))
      try draft.update(Car.self, 1) { $0.year = 7 }
    }
    #expect(errors.values.count == 1)
    #expect(carErrors.values.count == 1)
    #expect(events.values.isEmpty && changes.values.isEmpty)
    #expect(model.fetchedObjects.map(\.id) == [2, 1, 3])
    #expect(car.year == 1994)

    storage.isFailing.store(0)
    try store.commit { draft in
      try draft.delete(Car.self, 2)
      try draft.update(Person.self, 1) { $0.name = "Amy" }
    }
    #expect(model.fetchedObjects.map(\.id) == [1, 5, 3])
    #expect(events.values.count == 1)
    let check = EventOracle(includesOwner: true, isSectioned: true)
    try check.check(try #require(events.values.first), "after an error")
    #expect(car.year == 7)
    #expect(changes.values.count == 1)
  }

  @Test
  func `F11: a model made after an error fetches again, though others have the query already`()
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let early = try FetchedObjectsModel(byOwner, in: store)
    storage.isFailing.store(1)
    try store.commit { draft in
      try draft.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(bob)))
      try draft.delete(Car.self, 2)
    }
    storage.isFailing.store(0)
    #expect(early.error != nil)
    #expect(early.fetchedObjects.map(\.id) == [2, 1, 3])
    let late = try FetchedObjectsModel(byOwner, in: store)
    #expect(late.error == nil)
    #expect(late.fetchedObjects.map(\.id) == [1, 5, 3])
    try store.commit { try $0.delete(Car.self, 3) }
    #expect(early.error == nil)
    #expect(early.fetchedObjects.map(\.id) == [1, 5])
    #expect(late.fetchedObjects.map(\.id) == [1, 5])
  }

  @Test func `F1: commits that come while the first result is read are in it`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    storage.interruption.withLock {
      $0 = { try? store.commit { try $0.delete(Car.self, 2) } }
    }
    let model = try FetchedObjectsModel(byOwner, in: store)
    #expect(model.fetchedObjects.map(\.id) == [1, 3])
  }

  @Test func `F11: an error while the first result is read loses no commit`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    storage.interruption.withLock {
      $0 = {
        storage.isFailing.store(1)
        try? store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(ann))) }
        storage.isFailing.store(0)
        try? store.commit { try $0.insert(Car(id: 6, model: "Saab", year: 1, owner: Ref(ann))) }
      }
    }
    let model = try FetchedObjectsModel(byOwner, in: store)
    #expect(model.fetchedObjects.map(\.id) == [2, 6, 5, 1, 3])
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(model.fetchedObjects.map(\.id) == [2, 6, 5, 3])
  }

  @Test func `F1: a commit that can't be read while the first result is, is read with all others`()
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let interruption: @Sendable () -> Void = {
      storage.isFailing.store(1)
      try? store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(ann))) }
      storage.isFailing.store(0)
    }
    storage.interruption.withLock { $0 = interruption }
    let model = try FetchedObjectsModel(byOwner, in: store)
    #expect(model.fetchedObjects.map(\.id) == [2, 5, 1, 3])
    #expect(model.error == nil && model.work.fetches == 2)
  }

  @Test func `F6: a step of a query that has been replaced is not shown`() throws {
    let store = try Store(.inMemory, entities: [Person.self, Car.self])
    try store.fillGarage()
    let events = Locked<[Int]>([])
    let follower = try ResultFollower(
      byOwner.description, in: store, delivery: .immediate, policy: nil,
      FollowerReceiver(event: { event in events.withLock { $0.append(event.after.count) } }))
    let old = try LiveResults.of(store).result(of: byOwner.description, in: store)
    try follower.setQuery(Query<Car>().filter { $0.year > 1990 }.description) {}
    let count = follower.shown.count
    // The commit's thread was about to hand it over.
    let step = ResultStep(versions: 9...9, after: follower.shown.base, touched: .all)
    #expect(!follower.append(step, from: old))
    #expect(!follower.append(FlakyStorage.ReadFailure(), version: 9, from: old))
    #expect(follower.shown.count == count)
    #expect(events.withLock { $0.count } == 1)
  }

  @Test func `F12: nothing waits for a deallocated actor`() throws {
    actor Place {}
    let store = try Store(.inMemory, entities: [Person.self, Car.self])
    try store.fillGarage()
    var place: Place? = Place()
    let delivery = try #require(place.map { Delivery.on($0) })
    let follower = try ResultFollower(
      byOwner.description, in: store, delivery: delivery, policy: .every,
      FollowerReceiver())
    place = nil
    for id in 10..<20 {
      try store.commit {
        try $0.insert(Car(id: id, model: "Seat", year: 1, owner: Ref(ann)))
      }
    }
    #expect(follower.waitingCount == 0)
  }

  @Test func `F8: after an error the object's references are watched as they are`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store) { $0.owner.name }
    storage.isFailing.store(1)
    try store.commit { try $0.update(Car.self, 1) { $0.owner = Ref(bob) } }
    storage.isFailing.store(0)
    #expect(car.owner?.name == "Ann")
    try store.commit { try $0.update(Person.self, 2) { $0.name = "Rob" } }
    #expect(car.owner?.name == "Rob")
  }

  @Test func `F1: a failed first fetch throws`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    storage.isFailing.store(2)
    #expect(throws: FlakyStorage.ReadFailure.self) {
      _ = try FetchedObjectsModel(byOwner, in: store)
    }
    #expect(throws: FlakyStorage.ReadFailure.self) { _ = try ObservedEntity<Car>(1, in: store) }
    storage.isFailing.store(0)
    // Nothing of the failed ones is left behind.
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(try FetchedObjectsModel(byOwner, in: store).fetchedObjects.map(\.id) == [2, 3])
  }
}
