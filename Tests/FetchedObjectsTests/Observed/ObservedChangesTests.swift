import EntityStore
import FetchedObjects
import Fixtures
import ListFixtures
import Relays
import TestSupport
import Testing

@Suite struct ObservedChangesTests {
  @Test(arguments: TestStorage.withServer)
  func `F8: a value's signal fires only where that value changes`(_ storage: TestStorage) throws {
    let store = try storage.makeDriverFleet()
    try store.fillDriverFleet()
    let driver = try ObservedEntity<Driver>(1, in: store) { $0.firm.town.name }
    let events = Recorder(driver.didChange)
    let names = Recorder(driver.changes(of: \.name))
    let initials = Recorder(driver.changes(of: \.initial))
    let ages = Recorder(driver.changes(of: \.age))
    let firms = Recorder(driver.changes(of: \.firm))
    let towns = Recorder(driver.changes { $0.firm?.town?.name })
    try driver.update { $0.name = "Amy" }
    try driver.update { $0.age = nil }
    try driver.update { $0.firm = Ref(2) }
    try store.commit { try $0.update(Town.self, 2) { $0.name = "Roma" } }
    try store.commit { try $0.update(Town.self, 2) { $0.size = 1 } }
    try driver.update {
      $0.name = "Bea"
      $0.age = 5
    }
    #expect(
      names.values == [ValueChange(old: "Ann", new: "Amy"), ValueChange(old: "Amy", new: "Bea")])
    #expect(initials.values == [ValueChange(old: "A", new: "B")])
    #expect(ages.values == [ValueChange(old: 30, new: nil), ValueChange(old: .some(nil), new: 5)])
    #expect(firms.values == [ValueChange(old: Ref(1), new: Ref(2))])
    #expect(
      towns.values == [
        ValueChange(old: "Oslo", new: "Rome"), ValueChange(old: "Rome", new: "Roma"),
      ])
    #expect(events.values.count == 5)
  }

  @Test func `F8: the first value of an awaited object has no old one`() throws {
    let store = try TestStorage.memory.makeGarage()
    let car = try ObservedEntity<Car>(awaiting: 1, in: store) { $0.owner.name }
    let years = Recorder(car.changes(of: \.year))
    let owners = Recorder(car.changes { $0.owner?.name })
    try store.fillGarage()
    #expect(years.values == [ValueChange(old: nil, new: 1994)])
    #expect(owners.values == [ValueChange(old: nil, new: "Ann")])
  }

  @Test @MainActor
  func `F8: under .coalesced a value's signal publishes the net change, or nothing`()
    async throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store, delivery: .mainActor)
    let each = try ObservedEntity<Car>(1, in: store)
    let years = Recorder(car.changes(of: \.year))
    let models = Recorder(car.changes(of: \.model))
    let eachModels = Recorder(each.changes(of: \.model))
    TestThread {
      try? car.update { $0.model = "Saab" }
      try? car.update { $0.year = 1 }
      try? car.update { $0.model = "Volvo" }
      try? car.update { $0.year = 2 }
    }.join()
    await store.flush()
    #expect(years.values == [ValueChange(old: 1994, new: 2)])
    #expect(models.values.isEmpty)
    #expect(eachModels.values.map(\.new) == ["Saab", "Volvo"])
  }

  @Test func `R4: a signal that was cancelled, or is not subscribed to, is not worked out`() throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store)
    let reads = Counter()
    let signal = car.changes { view in
      reads.add()
      return view.year
    }
    // Once at once, to refuse what isn't included.
    #expect(reads.value == 1)
    try car.update { $0.year = 1 }
    #expect(reads.value == 1)
    let token = signal.subscribe { _ in }
    try car.update { $0.year = 2 }
    #expect(reads.value == 3)
    token.cancel()
    try car.update { $0.year = 3 }
    #expect(reads.value == 3)
  }
}
