import EntityStore
import FetchedObjects
import Fixtures
import Relays
import TestSupport
import Testing

@Suite struct ObservedEntityTests {
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
