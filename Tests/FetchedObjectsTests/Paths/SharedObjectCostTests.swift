@_spi(Storage) import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import ListDiffing
import Relays
import TestSupport
import Testing

/// Ann has 2,000 cars, and what is followed shows few of them.
@Suite struct `Objects to which very many others refer` {
  private let storage: CountedFinds
  private let store: Store
  private let few = Query<Car>().filter { $0.year < 10 }

  init() throws {
    let storage = CountedFinds()
    self.storage = storage
    store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit { draft in
      try draft.insert(ann)
      try draft.insert(bob)
      try draft.insert(
        contentsOf: (0..<2000).map { Car(id: $0, model: "", year: $0, owner: Ref(ann)) })
    }
  }

  private func car(_ id: Int, of owner: Person) -> Car {
    Car(id: id, model: "", year: id, owner: Ref(owner))
  }

  /// Returns the number of objects and ids that a commit finds.
  private func finds(_ body: (inout Draft) throws -> Void) throws -> Int {
    let start = storage.found.value
    try store.commit(body)
    return storage.found.value - start
  }

  @Test func `Cost: a small list looks at none of the rows outside that include an object`() throws
  {
    let alone = try finds { try $0.update(Person.self, 1) { $0.name = "Anna" } }
    let list = try FetchedObjectsModel(few.including { $0.owner.name }, in: store)
    let events = Recorder(list.didChange)
    let before = list.work
    let count = try finds { try $0.update(Person.self, 1) { $0.name = "Anne" } }
    #expect(count == alone)
    #expect(list.work.candidates - before.candidates == 10)
    #expect(list.work.conditions - before.conditions == 10)
    #expect(events.values.map(\.changes.updates.count) == [10])
    #expect(list.snapshot.rows.allSatisfy { $0.owner?.name == "Anne" })
  }

  @Test func `Cost: a small list looks at none of the rows outside that include a count`() throws {
    let list = try FetchedObjectsModel(few.including { $0.owner.cars.count }, in: store)
    let events = Recorder(list.didChange)
    let before = list.work
    try store.commit { try $0.insert(car(3000, of: ann)) }
    #expect(list.work.candidates - before.candidates == 11)
    #expect(events.values.map(\.changes.updates.count) == [10])
    #expect(list.snapshot.rows.allSatisfy { $0.computed { $0.owner.cars.count } == 2001 })
  }

  @Test func `F5: an object that decides and is included brings rows into a small list`() throws {
    let list = try FetchedObjectsModel(
      few.filter { $0.owner.age == 30 }.including { $0.owner.name }, in: store)
    let events = Recorder(list.didChange)
    try store.commit { draft in
      try draft.update(Person.self, 1) { $0.name = "Anna" }
      try draft.update(Person.self, 2) { $0.age = 30 }
      try draft.update(Car.self, 0) { $0.owner = Ref(bob) }
      try draft.update(Car.self, 1) { $0.year = 10 }
      try draft.update(Car.self, 11) { $0.year = 5 }
      try draft.delete(Car.self, 2)
    }
    let ids = [0, 3, 4, 5, 6, 7, 8, 9, 11]
    #expect(list.fetchedObjects.map(\.id) == ids)
    #expect(list.snapshot.rows.first?.owner?.name == "Bob")
    #expect(list.snapshot.rows.dropFirst().allSatisfy { $0.owner?.name == "Anna" })
    #expect(events.values.map(\.changes.deletes.count) == [2])
    #expect(events.values.map(\.changes.inserts.count) == [1])
    #expect(events.values.map(\.changes.updates.count) == [8])
    // One person leaves the condition, and the other one's name changes.
    try store.commit { draft in
      try draft.update(Person.self, 1) { $0.age = 31 }
      try draft.update(Person.self, 2) { $0.name = "Rob" }
    }
    #expect(list.snapshot.rows.map { $0.owner?.name } == ["Rob"])
    try store.commit { try $0.update(Person.self, 1) { $0.age = 30 } }
    #expect(list.fetchedObjects.map(\.id) == ids)
  }

  @Test func `F5: a small list in sections of what it includes follows it`() throws {
    let list = try FetchedObjectsModel(
      few.sorted { [$0.owner.age.ascending] }.sectioned { $0.owner.name }
        .including { $0.owner.name }, in: store)
    try store.commit { draft in
      try draft.update(Car.self, 4) { $0.owner = Ref(bob) }
      try draft.update(Person.self, 1) { $0.name = "Zoe" }
    }
    #expect(list.sections.map(\.name) == ["Bob", "Zoe"])
    #expect(list.sections.map(\.count) == [1, 9])
    try store.commit { try $0.update(Person.self, 2) { $0.name = "Zoe" } }
    #expect(list.sections.map(\.name) == ["Zoe"])
    #expect(list.snapshot.rows.allSatisfy { $0.owner?.name == "Zoe" })
  }

  @Test func `Cost: an observed object of another owner isn't looked for among all`() throws {
    try store.commit { try $0.insert(car(3000, of: bob)) }
    let alone = try finds { try $0.insert(car(4000, of: ann)) }
    let observed = try ObservedEntity<Car>(3000, in: store) { $0.owner.cars.count }
    let events = Recorder(observed.didChange)
    let count = try finds { try $0.insert(car(4001, of: ann)) }
    #expect(count == alone)
    #expect(events.values.isEmpty)
    try store.commit { try $0.update(Car.self, 4001) { $0.owner = Ref(bob) } }
    #expect(observed.view.computed { $0.owner.cars.count } == 2)
    try store.commit { try $0.delete(Car.self, 4001) }
    #expect(observed.view.computed { $0.owner.cars.count } == 1)
    try store.commit { try $0.update(Car.self, 3000) { $0.owner = Ref(ann) } }
    #expect(observed.view.computed { $0.owner.cars.count } == 2002)
    #expect(events.values.count == 3)
  }

  @Test func `F15: whether a change may lead to another value is asked for one object`() throws {
    let alone = try finds { try $0.update(Person.self, 1) { $0.age = 31 } }
    let old = try ObservedValue(in: store) { reader in
      try reader.count(Query<Car>().filter { $0.owner.age > 40 })
    }
    let before = old.work
    let count = try finds { try $0.update(Person.self, 1) { $0.age = 41 } }
    #expect(count - alone <= 1)
    #expect(old.value == 2000)
    #expect(old.work.fetches - before.fetches == 1)
    // Nobody's car concerns it.
    try store.commit { try $0.update(Person.self, 2) { $0.age = 50 } }
    #expect(old.work.fetches - before.fetches == 1)
    try store.commit { try $0.insert(car(3000, of: bob)) }
    #expect(old.value == 2001)
  }
}
