import EntityStore
import Fixtures
import ListDiffing
import ListFixtures
import Observation
import Relays
import TestSupport
import Testing

@testable import FetchedObjects

private let annID = SectionID("Ann")
private let bobID = SectionID("Bob")

private func view(_ car: EntityView<Car>) -> CarRow {
  CarRow(diffIdentifier: car.id, title: car.model, band: car.year / 10)
}

@Suite struct SectionTrackingTests {
  @Test(arguments: TestStorage.withServer)
  func `F9: a reader of one section is notified of changes in it, and of nothing else`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    func expect(
      _ ann: Int, _ bob: Int, _ ids: Int, _ body: (inout Draft) throws -> Void,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let counts = [
        timesTold { _ = cars.section(for: annID)?.count },
        timesTold { _ = cars.section(for: bobID)?.count }, timesTold { _ = cars.sectionIDs },
      ]
      try store.commit(body)
      #expect(counts.map(\.value) == [ann, bob, ids], sourceLocation: sourceLocation)
    }
    // Updated, moved within, inserted, deleted, to another section.
    try expect(1, 0, 0) { try $0.update(Car.self, 1) { $0.year = 1 } }
    try expect(0, 1, 0) { try $0.update(Car.self, 3) { $0.year = 1 } }
    try expect(1, 0, 0) { try $0.update(Car.self, 1) { $0.model = "Audi" } }
    try expect(0, 1, 0) { try $0.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(bob))) }
    try expect(0, 1, 0) { try $0.delete(Car.self, 5) }
    try expect(1, 1, 0) { try $0.update(Car.self, 1) { $0.owner = Ref(bob) } }
    // A section before them: their positions change, and that is all.
    try store.commit { try $0.insert(Person(id: 3, name: "Abe", age: nil)) }
    try expect(0, 0, 1) { try $0.update(Car.self, 4) { $0.owner = Ref(3) } }
    #expect(cars.sectionIDs == [SectionID("Abe"), annID, bobID])
    // It goes, and comes back.
    try expect(1, 0, 1) { try $0.delete(Car.self, 2) }
    #expect(cars.section(for: annID) == nil)
    try expect(1, 0, 1) { try $0.insert(Car(id: 2, model: "Fiat", year: 1, owner: Ref(ann))) }
    #expect(cars.section(for: annID)?.map(\.id) == [2])
  }

  @Test func `F9: readers of a section with its own order are notified of its title and its move`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let query = Query<Car>()
      .filter { $0.owner.name != nil }
      .sectioned(
        by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.age.ascending })
    let cars = try FetchedObjectsModel(query, in: store)
    #expect(cars.sectionIDs == [SectionID(2), SectionID(1)])
    #expect(cars.section(for: SectionID(1))?.map(\.id) == [1, 2])
    func counts(_ body: (inout Draft) throws -> Void) throws -> [Int] {
      let counts = [
        timesTold { _ = cars.section(for: SectionID(1))?.name },
        timesTold { _ = cars.section(for: SectionID(2))?.name }, timesTold { _ = cars.sectionIDs },
      ]
      try store.commit(body)
      return counts.map(\.value)
    }
    #expect(try counts { try $0.update(Person.self, 1) { $0.name = "Amy" } } == [1, 0, 0])
    #expect(cars.section(for: SectionID(1))?.name == "Amy")
    #expect(try counts { try $0.update(Person.self, 1) { $0.age = 20 } } == [1, 0, 0])
    // The rows of this one look the same all the time, so only its title and its place are told.
    let rows = cars.map { $0.id }
    let derived = [
      timesTold { _ = rows.section(for: SectionID(1)) },
      timesTold { _ = rows.section(for: SectionID(2)) },
    ]
    #expect(try counts { try $0.update(Person.self, 2) { $0.age = 50 } } == [0, 1, 1])
    #expect(derived.map(\.value) == [0, 1])
    let title = timesTold { _ = rows.section(for: SectionID(1))?.name }
    #expect(try counts { try $0.update(Person.self, 1) { $0.name = "Ada" } } == [1, 0, 0])
    #expect(title.value == 1)
    #expect(cars.sectionIDs == [SectionID(1), SectionID(2)])
    #expect(cars.section(for: SectionID("Ann")) == nil)
    #expect(cars.section(for: SectionID(1, parts: [0])) == nil)
  }

  @Test func `F9: a query that only moves sections notifies no reader of one section`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let years = Query<Car>().sectioned { $0.year }
    let cars = try FetchedObjectsModel(years.sorted { [$0.year.ascending] }, in: store)
    let ids = cars.sectionIDs
    try #require(ids == [SectionID(1994), SectionID(2004), SectionID(2014), SectionID(2018)])
    let sections = ids.map { id in timesTold { _ = cars.section(for: id)?.count } }
    let order = timesTold { _ = cars.sectionIDs }
    try cars.setQuery(years.sorted { [$0.year.descending] })
    #expect(cars.sectionIDs == Array(ids.reversed()))
    #expect(sections.map(\.value) == [0, 0, 0, 0])
    #expect(order.value == 1)
  }

  @Test func `F9: readers of a derived list's section are notified of visible changes`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    let old = cars.filter { $0.year < 2010 }
    let whole = old.map { view($0) }.concatenated(with: cars.map { view($0) })
    let (first, second) = (SectionID("Ann", parts: [0]), SectionID("Ann", parts: [1]))
    #expect(old.sectionIDs == [annID])
    #expect(whole.sectionIDs == [first, second, SectionID("Bob", parts: [1])])
    #expect(whole.section(for: second)?.rows.map(\.diffIdentifier) == [2, 1])
    #expect(whole.section(for: annID) == nil)
    #expect(whole.section(for: SectionID("Ann", parts: [2])) == nil)
    func counts(_ body: (inout Draft) throws -> Void) throws -> [Int] {
      let counts = [
        timesTold { _ = old.section(for: annID) }, timesTold { _ = old.section(for: bobID) },
        timesTold { _ = old.sectionIDs }, timesTold { _ = whole.section(for: first) },
        timesTold { _ = whole.section(for: second) }, timesTold { _ = whole.sectionIDs },
        timesTold { _ = whole.snapshot },
      ]
      try store.commit(body)
      return counts.map(\.value)
    }
    // The filter leaves Bob's car out, and then takes it in.
    #expect(
      try counts { try $0.update(Car.self, 3) { $0.year = 2025 } } == [0, 0, 0, 0, 0, 0, 1])
    #expect(try counts { try $0.update(Car.self, 3) { $0.year = 1 } } == [0, 1, 1, 0, 0, 1, 1])
    #expect(try counts { try $0.update(Car.self, 2) { $0.year = 2020 } } == [1, 0, 0, 1, 1, 0, 1])
    #expect(try counts { try $0.delete(Car.self, 1) } == [1, 0, 1, 1, 1, 1, 1])
    #expect(old.section(for: annID) == nil && whole.section(for: second)?.count == 1)
    // A view model that looks the same.
    #expect(try counts { try $0.update(Car.self, 2) { $0.year = 2021 } } == [0, 0, 0, 0, 0, 0, 0])
  }

  @Test func `F9: nothing is kept of a section that isn't tracked any more`() {
    let parts = ObservedParts()
    #expect(!parts.isTracked)
    func read(_ ids: Range<Int>) -> Counter {
      timesTold { for id in ids { parts.access(.section(SectionID(id))) } }
    }
    let told = read(0..<100)
    #expect(parts.isTracked && parts.sectionCount == 100)
    parts.hasChanged(.section(SectionID(100)))
    #expect(told.value == 0)
    parts.hasChanged(.section(SectionID(7)))
    #expect(told.value == 1 && !parts.isTracked && parts.sectionCount == 0)
    parts.hasChanged(.section(SectionID(8)))
    #expect(told.value == 1)
    // Outside of tracking nothing is kept beyond the next look, and never much.
    let tracked = read(0..<1)
    for id in 0..<10_000 { parts.access(.section(SectionID(id))) }
    #expect(parts.sectionCount < 200)
    #expect(parts.isTracked && parts.sectionCount == 1)
    parts.hasChanged(.section(SectionID(0)))
    #expect(tracked.value == 1 && !parts.isTracked)
  }

  @Test func `F9: a section that is tracked for long with others goes with them`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    let told = timesTold {
      _ = cars.section(for: annID)
      _ = cars.section(for: bobID)
    }
    try store.commit { try $0.update(Car.self, 3) { $0.year = 1 } }
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1 } }
    #expect(told.value == 1)
  }
}
