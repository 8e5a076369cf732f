@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import Observation
import Locking
import Relays
import TestSupport
import Testing

@Suite struct ObservedTrackingTests {
  @Test(arguments: TestStorage.withServer)
  func `F9: each reader of the object is notified of its next change, once`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store) { $0.owner.name }
    let other = try ObservedEntity<Car>(2, in: store)
    let counts = [
      timesTold { _ = car.value }, timesTold { _ = car.year }, timesTold { _ = car.state },
      timesTold { _ = car.isDeleted }, timesTold { _ = car.owner?.name },
      timesTold { _ = car.view }, timesTold { _ = car.viewIfKnown }, timesTold { _ = car.error },
      timesTold {
        _ = other.year
        _ = car.year
      },
    ]
    let untouched = timesTold { _ = other.value }
    #expect(counts.allSatisfy { $0.value == 0 })
    try store.commit { try $0.update(Person.self, 1) { $0.age = 1 } }
    try store.commit { try $0.update(Car.self, 1) { _ in } }
    #expect(counts.allSatisfy { $0.value == 0 })
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Amy" } }
    #expect(counts.map(\.value) == counts.map { _ in 1 })
    try car.update { $0.year = 1 }
    #expect(counts.map(\.value) == counts.map { _ in 1 })
    #expect(untouched.value == 0)
    let state = timesTold { _ = car.state }
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(state.value == 1)
  }

  @Test func `F9: a notified observer reads the new value everywhere in its context`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store)
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let later = try ObservedEntity<Car>(2, in: store)
    let seen = Log<[Int]>()
    withObservationTracking {
      _ = car.year
    } onChange: {
      seen.note([car.year, later.year, model.fetchedObjects[0].year])
    }
    try store.commit { draft in
      try draft.update(Car.self, 1) { $0.year = 1 }
      try draft.update(Car.self, 2) { $0.year = 2 }
    }
    #expect(seen.entries == [[1, 2, 1]])
  }

  @Test func `F9: a view that reads again at once is notified of every change, once`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store)
    let view = TrackingListView { [car.year] }
    view.render()
    for year in 1...5 { try car.update { $0.year = year } }
    #expect(view.seen.entries == [[1994], [1], [2], [3], [4], [5]])
  }

  @Test @MainActor
  func `F9: on the main actor the notification comes there, once for merged changes`()
    async throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store, delivery: .mainActor)
    let count = timesTold { _ = car.year }
    TestThread {
      for year in 1...3 { try? car.update { $0.year = year } }
    }.join()
    #expect(count.value == 0)
    await store.flush()
    #expect(count.value == 1)
    #expect(car.year == 3)
  }

  @Test func `F9: observers are notified of an error and of its end`() throws {
    let storage = ProbedStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store) { $0.owner.name }
    let error = timesTold { _ = car.error }
    storage.isFailing.store(1)
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Amy" } }
    storage.isFailing.store(0)
    #expect(error.value == 1)
    #expect(car.error is ProbedStorage.ReadFailure)
    let recovery = timesTold { _ = car.error }
    // It is what it was before the error, so there is no event.
    let events = Recorder(car.didChange)
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Ann" } }
    #expect(recovery.value == 1)
    #expect(car.error == nil)
    #expect(events.values.isEmpty)
  }
}
