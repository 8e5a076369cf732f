import EntityStore
import FetchedObjects
import Fixtures
import Relays
import TestSupport
import Testing

@Suite struct ObservedEntityTests {
  @Test(arguments: TestStorage.withServer)
  func `F8: it fires only for its own object, and only where a value changes`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store)
    let events = Recorder(car.didChange)
    try store.commit { try $0.update(Car.self, 2) { $0.year = 1 } }
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Zoe" } }
    try store.commit { try $0.update(Car.self, 1) { _ in } }
    #expect(events.values.isEmpty)
    try car.update { $0.year += 1 }
    #expect(events.values.map { [$0.before?.year, $0.after.year] } == [[1994, 1995]])
    #expect(car.year == 1995)
    #expect(car.value.model == "Volvo")
  }

  @Test(arguments: TestStorage.withServer)
  func `F8: included paths are watched, along the reference as it is now`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store) { $0.owner.name }
    let events = Recorder(car.didChange)
    #expect(car.owner?.name == "Ann")
    try store.commit { try $0.update(Person.self, 1) { $0.age = 99 } }
    #expect(events.values.isEmpty)
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Zoe" } }
    #expect(car.owner?.name == "Zoe")
    try car.update { $0.owner = Ref(bob) }
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Amy" } }
    try store.commit { try $0.update(Person.self, 2) { $0.name = "Rob" } }
    try store.commit { try $0.delete(Person.self, 2) }
    #expect(
      events.values.map { $0.after.owner?.name ?? "nobody" } == ["Zoe", "Bob", "Rob", "nobody"])
  }

  @Test(arguments: TestStorage.withServer)
  func `F8: a deletion is published once, the last value stays, and the id may come back`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store)
    let events = Recorder(car.didChange)
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(car.isDeleted)
    #expect(car.model == "Volvo")
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(throws: StoreError.notFound(ObjectID(Car.self, 1))) { try car.update { $0.year = 0 } }
    #expect(events.values.map(\.isDeleted) == [true])
    try store.commit { try $0.insert(Car(id: 1, model: "Saab", year: 1, owner: nil)) }
    #expect(!car.isDeleted)
    #expect(car.model == "Saab")
    #expect(events.values.map(\.isDeleted) == [true, false])
    #expect(events.values.map(\.wasDeleted) == [false, true])
  }

  @Test func `F8: an object that isn't there can't be observed`() throws {
    let store = try TestStorage.memory.makeGarage()
    #expect(throws: StoreError.notFound(ObjectID(Car.self, 1))) {
      _ = try ObservedEntity<Car>(1, in: store)
    }
  }

  @Test func `F8: when it is deallocated, it is forgotten`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    weak var weakCar: ObservedEntity<Car>?
    do {
      let car = try ObservedEntity<Car>(1, in: store)
      weakCar = car
    }
    #expect(weakCar == nil)
    try store.commit { try $0.delete(Car.self, 1) }
  }

  @Test @MainActor func `F12: it delivers in its place`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store, delivery: .mainActor)
    var years: [Int] = []
    let token = car.didChange.subscribe(on: .mainActor) { years.append($0.after.year) }
    try car.update { $0.year = 1 }
    TestThread { try? store.commit { try $0.update(Car.self, 1) { $0.year = 2 } } }.join()
    #expect(car.year == 1)
    try car.update { $0.year = 3 }
    // Both wait, and both are shown by the one event that the main actor's own commit brings.
    #expect(car.year == 3)
    #expect(years == [1, 3])
    withExtendedLifetime(token) {}
  }
}
