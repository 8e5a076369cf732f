@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import Locking
import Relays
import TestSupport
import Testing

@Suite struct ObservedPauseTests {
  private func makeStore() throws -> Store {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    return store
  }

  private func describe(_ event: ObservedEntity<Car>.Event) -> String {
    "\(event.before?.year ?? -1) \(event.stateBefore) → \(event.after.year) \(event.state) "
      + "\(event.versions)"
  }

  @Test(arguments: [DeliveryPolicy.every, .coalesced])
  func `F6: while it is paused it shows what it showed, and then the net change`(
    _ policy: DeliveryPolicy
  ) throws {
    let store = try makeStore()
    let car = try ObservedEntity<Car>(1, in: store, policy: policy)
    let events = Recorder(car.didChange.map { [self] in describe($0) })
    car.pause()
    for year in 1...3 { try car.update { $0.year = year } }
    #expect(car.year == 1994)
    #expect(events.values.isEmpty)
    car.resume()
    #expect(car.year == 3)
    #expect(events.values == ["1994 live → 3 live 2...4"])
    car.resume()
    try car.update { $0.year = 4 }
    #expect(events.values.last == "3 live → 4 live 5...5")

    car.pause()
    try car.update { $0.year = 5 }
    try car.update { $0.year = 4 }
    car.resume()
    #expect(events.values.count == 2)

    car.pause()
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(!car.isDeleted)
    car.resume()
    #expect(events.values.last == "4 live → 4 deleted 8...8")
    car.pause()
    try store.commit { try $0.insert(Car(id: 1, model: "M", year: 9, owner: nil)) }
    try store.commit { try $0.delete(Car.self, 1) }
    car.resume()
    // It is what it would be without the pause: deleted, and 9 is the last year it had.
    #expect(events.values.last == "4 deleted → 9 deleted 9...10")
  }

  @Test @MainActor func `F2: what waited for a busy place when it was resumed is one event`()
    async throws
  {
    let store = try makeStore()
    let car = try ObservedEntity<Car>(1, in: store, delivery: .mainActor, policy: .every)
    var years: [[Int]] = []
    let token = car.didChange.subscribe(on: .mainActor) { years.append([$0.after.year, car.year]) }
    TestThread { [store] in
      for year in 1...4 {
        if year == 3 { car.pause() }
        try? store.commit { try $0.update(Car.self, 1) { $0.year = year } }
      }
      car.resume()
      try? store.commit { try $0.update(Car.self, 1) { $0.year = 5 } }
    }.join()
    await store.flush()
    #expect(years == [[4, 4], [5, 5]])
    token.cancel()
  }

  @Test func `F11: an error during a pause is reported afterwards`() throws {
    let storage = ProbedStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store) { $0.owner.name }
    let errors = Counter()
    let token = car.errors.subscribe { _ in errors.add() }
    let events = Recorder(car.didChange)
    car.pause()
    storage.isFailing.store(1)
    try car.update { $0.year = 1 }
    #expect(car.error == nil && errors.value == 0)
    car.resume()
    #expect(car.error != nil && errors.value == 1)
    #expect(car.year == 1994)
    storage.isFailing.store(0)
    // It isn't known what the object refers to, so any commit of the kind makes it look again.
    try store.commit { try $0.update(Person.self, 2) { $0.name = "Rob" } }
    #expect(car.error == nil)
    #expect(events.values.map(\.after.year) == [1])
    token.cancel()
  }

  @Test func `F11: an object that is deleted after an error is deleted`() throws {
    let storage = ProbedStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store) { $0.owner.name }
    let years = Recorder(car.didChange.map(\.after.year))
    storage.isFailing.store(1)
    try car.update { $0.year = 1 }
    try car.update { $0.year = 2 }
    storage.isFailing.store(0)
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(car.isDeleted && car.error == nil)
    #expect(car.year == 1994)
    #expect(car.owner?.name == "Ann")
    // It is followed as itself alone again.
    try store.commit { try $0.insert(Car(id: 7, model: "", year: 0, owner: nil)) }
    try store.commit { try $0.insert(Car(id: 1, model: "", year: 3, owner: nil)) }
    #expect(years.values == [1994, 3])
  }
}
