import EntityStore
import FetchedObjects
import Fixtures
import ListFixtures
import Relays
import TestSupport
import Testing

@Suite struct ObservedStateTests {
  @Test(arguments: TestStorage.withServer)
  func `F8: an awaited object is absent, comes alive, is deleted, and lives on`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let car = try ObservedEntity<Car>(awaiting: 9, in: store) { $0.owner.name }
    let events = Recorder(car.didChange)
    #expect(car.state == .absent)
    #expect(car.viewIfKnown == nil)
    #expect(!car.isDeleted)
    #expect(throws: StoreError.notFound(ObjectID(Car.self, 9))) { try car.update { $0.year = 0 } }
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1 } }
    #expect(events.values.isEmpty)

    try store.commit { try $0.insert(Car(id: 9, model: "Saab", year: 1, owner: Ref(bob))) }
    #expect(car.state == .live)
    #expect(car.model == "Saab")
    #expect(car.owner?.name == "Bob")
    try store.commit { try $0.delete(Car.self, 9) }
    #expect(car.state == .deleted)
    #expect(car.owner?.name == "Bob")
    #expect(throws: StoreError.notFound(ObjectID(Car.self, 9))) { try car.update { $0.year = 0 } }
    // The owner isn't followed any more.
    try store.commit { try $0.update(Person.self, 2) { $0.name = "Rob" } }
    #expect(car.owner?.name == "Bob")
    try store.commit { try $0.insert(Car(id: 9, model: "Lada", year: 2, owner: Ref(ann))) }
    #expect(car.state == .live)
    #expect(car.owner?.name == "Ann")
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Amy" } }
    try store.commit { try $0.delete(Person.self, 1) }

    #expect(
      events.values.map(\.stateBefore) == [.absent, .live, .deleted, .live, .live])
    #expect(events.values.map(\.state) == [.live, .deleted, .live, .live, .live])
    #expect(events.values.map(\.wasDeleted) == [false, false, true, false, false])
    #expect(events.values.map(\.isDeleted) == [false, true, false, false, false])
    #expect(
      events.values.map { $0.before?.model ?? "-" } == ["-", "Saab", "Saab", "Lada", "Lada"])
    #expect(events.values.map(\.after.model) == ["Saab", "Saab", "Lada", "Lada", "Lada"])
    #expect(events.values.map { $0.after.owner?.name } == ["Bob", "Bob", "Ann", "Amy", nil])
  }

  @Test(arguments: TestStorage.withServer)
  func `F8: an id that comes back with the same values is published, since it lives again`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let car = try ObservedEntity<Car>(4, in: store)
    let events = Recorder(car.didChange)
    let years = Recorder(car.changes(of: \.year))
    let value = car.value
    try store.commit { try $0.delete(Car.self, 4) }
    try store.commit { try $0.insert(value) }
    #expect(events.values.map(\.state) == [.deleted, .live])
    // A deletion changes no value.
    #expect(years.values.isEmpty)
    try store.commit { draft in
      try draft.delete(Car.self, 4)
      try draft.insert(value)
    }
    try store.commit { draft in
      try draft.delete(Car.self, 4)
      try draft.insert(Car(id: 4, model: "Skoda", year: 1, owner: nil))
    }
    // One commit that deletes and inserts is an update, or nothing.
    #expect(events.values.map(\.state) == [.deleted, .live, .live])
    #expect(years.values == [ValueChange(old: 2018, new: 1)])
  }

  @Test(arguments: TestStorage.withServer)
  func `F8: a cascade deletes it like anything else, and the included values stay`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store) { $0.owner.name }
    let events = Recorder(car.didChange)
    try store.commit { draft in
      try draft.delete(Person.self, 1)
      try draft.delete(Car.self, 1)
    }
    #expect(events.values.map(\.state) == [.deleted])
    #expect(car.owner?.name == "Ann")
  }

  @Test func `F8: a commit that is undone, wholly or in part, is not seen`() throws {
    struct Undo: Error {}
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store)
    let events = Recorder(car.didChange)
    try? store.commit { draft in
      try draft.delete(Car.self, 1)
      throw Undo()
    }
    try store.commit { draft in
      try? store.commit { inner in
        try inner.update(Car.self, 1) { $0.year = 1 }
        throw Undo()
      }
      try draft.update(Car.self, 2) { $0.year = 2 }
    }
    #expect(events.values.isEmpty)
    #expect(car.year == 1994)
  }

  @Test func `F8: objects of an entity that the store doesn't have can't be observed`() throws {
    let store = try TestStorage.memory.makeGarage()
    #expect(throws: StoreError.self) { _ = try ObservedEntity<Town>(1, in: store) }
    #expect(throws: StoreError.self) { _ = try ObservedEntity<Town>(awaiting: 1, in: store) }
  }

  @Test func `F8: reading an awaited object that isn't there is a mistake with a name`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStorage.memory.makeGarage()
      _ = try ObservedEntity<Car>(awaiting: 1, in: store).year
    }
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("is awaited"))
  }

  @Test func `F8: a value whose path isn't included is refused when it is asked for`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStorage.memory.makeGarage()
      try store.fillGarage()
      _ = try ObservedEntity<Car>(1, in: store).changes { $0.owner?.name }
    }
    #expect(
      String(decoding: result.standardErrorContent, as: UTF8.self)
        .contains("Car.owner isn't included"))
  }

  @Test func `F1: it can be made inside a commit's body, and shows the last commit`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    var car: ObservedEntity<Car>?
    try store.commit { draft in
      try draft.update(Car.self, 1) { $0.year = 1 }
      car = try ObservedEntity<Car>(1, in: store)
      #expect(car?.year == 1994)
      try car?.update { $0.year += 1 }
      #expect(car?.year == 1994)
    }
    #expect(car?.year == 2)
  }
}
