import EntityStore
import FetchedObjects
import Fixtures
import ListFixtures
import Relays
import TestSupport
import Testing

@Suite struct ObservedPathTests {
  @Test(arguments: TestStorage.withServer)
  func `F8: a path of several steps is followed through nil and back`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeDriverFleet()
    try store.fillDriverFleet()
    let driver = try ObservedEntity<Driver>(1, in: store) {
      $0.firm.name
      $0.firm.town.name
    }
    let seen = Recorder(
      driver.didChange.map {
        "\($0.after.firm?.name ?? "-") \($0.after.firm?.town?.name ?? "-")"
      })
    func expect(
      _ expected: String, sourceLocation: SourceLocation = #_sourceLocation,
      _ body: (inout Draft) throws -> Void
    ) throws {
      try store.commit { try body(&$0) }
      #expect(seen.values.last == expected, sourceLocation: sourceLocation)
    }
    try expect("Fjord Lund") { try $0.update(Town.self, 1) { $0.name = "Lund" } }
    try expect("Fjord Rome") { try $0.update(Firm.self, 1) { $0.town = Ref(2) } }
    try expect("Fjord -") { try $0.update(Firm.self, 1) { $0.town = nil } }
    try expect("- -") { try $0.update(Driver.self, 1) { $0.firm = nil } }
    try expect("Forum Rome") { try $0.update(Driver.self, 1) { $0.firm = Ref(2) } }
    try expect("Forum Roma") { try $0.update(Town.self, 2) { $0.name = "Roma" } }
    try expect("Forum -") { try $0.delete(Town.self, 2) }
    try expect("- -") { try $0.delete(Firm.self, 2) }
    #expect(seen.values.count == 8)

    // What it has left, and what isn't included, doesn't concern it.
    try store.commit { draft in
      try draft.update(Town.self, 1) { $0.name = "Umea" }
      try draft.update(Firm.self, 1) { $0.name = "Fjall" }
    }
    try store.commit { try $0.update(Driver.self, 1) { $0.firm = Ref(1) } }
    #expect(seen.values.count == 9)
    try store.commit { try $0.update(Firm.self, 1) { $0.rank = 99 } }
    #expect(seen.values.count == 9)
  }

  @Test(arguments: TestStorage.withServer)
  func `F8: a late-bound object that is inserted, deleted or replaced is seen`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeDriverFleet()
    try store.commit { try $0.insert(Driver(id: 1, name: "A", age: 1, firm: Ref(7), chief: nil)) }
    let driver = try ObservedEntity<Driver>(1, in: store) { $0.firm.town.name }
    let towns = Recorder(driver.changes { $0.firm?.town?.name })
    let events = Recorder(driver.didChange)
    #expect(driver.firm?.id == nil)
    try store.commit { try $0.insert(Firm(id: 7, name: "F", rank: 1, town: Ref(8))) }
    #expect(driver.firm?.id == 7)
    #expect(driver.firm?.town?.name == nil)
    try store.commit { try $0.insert(Town(id: 8, name: "Oslo", size: 1)) }
    try store.commit { draft in
      try draft.delete(Town.self, 8)
      try draft.insert(Town(id: 8, name: "Rome", size: 1))
    }
    try store.commit { try $0.delete(Town.self, 8) }
    try store.commit { draft in
      try draft.insert(Town(id: 8, name: "Kyiv", size: 1))
    }
    #expect(towns.values.map(\.new) == ["Oslo", "Rome", nil, "Kyiv"])
    #expect(towns.values.map { $0.old ?? nil } == [nil, "Oslo", "Rome", nil])
    // The firm's arrival, and its town's.
    #expect(events.values.count == 5)
  }

  @Test(arguments: TestStorage.withServer)
  func `F8: a new reference to a missing object shows nothing, and its object is awaited`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeDriverFleet()
    try store.fillDriverFleet()
    let driver = try ObservedEntity<Driver>(1, in: store) { $0.firm.town.name }
    try store.commit { try $0.update(Firm.self, 1) { $0.town = nil } }
    let towns = Recorder(driver.changes { $0.firm?.town?.name })
    try store.commit { try $0.update(Firm.self, 1) { $0.town = Ref(8) } }
    try store.commit { try $0.insert(Town(id: 8, name: "Kyiv", size: 1)) }
    #expect(towns.values == [ValueChange(old: .some(nil), new: "Kyiv")])
  }

  @Test(arguments: TestStorage.withServer)
  func `F8: an object may refer to itself, and to one that refers back`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeDriverFleet()
    try store.fillDriverFleet()
    let driver = try ObservedEntity<Driver>(2, in: store) { $0.chief.chief.name }
    let names = Recorder(driver.changes { $0.chief?.chief?.name })
    try store.commit { try $0.update(Driver.self, 1) { $0.chief = Ref(2) } }
    try driver.update { $0.name = "Ben" }
    try driver.update { $0.chief = Ref(2) }
    try driver.update { $0.name = "Bo" }
    #expect(names.values.map(\.new) == ["Bob", "Ben", "Bo"])
  }

  @Test(arguments: TestStorage.withServer)
  func `F8: an object that is included whole can be read whole`(_ storage: TestStorage) throws {
    let store = try storage.makeDriverFleet()
    try store.fillDriverFleet()
    let driver = try ObservedEntity<Driver>(1, in: store) { $0.firm }
    let events = Recorder(driver.didChange)
    try store.commit { try $0.update(Firm.self, 1) { $0.rank = 5 } }
    #expect(driver.firm?.value.rank == 5)
    #expect(events.values.map { $0.before?.firm?.rank } == [1])
    try store.commit { try $0.update(Town.self, 1) { $0.name = "Lund" } }
    #expect(events.values.count == 1)
  }

  @Test(arguments: TestStorage.withServer)
  func `F8, F5: an included object that comes by another reference shows what that one includes`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore([Tour.self, Town.self])
    try store.commit { draft in
      try draft.insert(Town(id: 1, name: "Oslo", size: 7))
      try draft.insert(Tour(id: 1, start: Ref(1), end: nil))
    }
    let tour = try ObservedEntity<Tour>(1, in: store) {
      $0.start.name
      $0.end.size
    }
    try tour.update { tour in
      tour.start = nil
      tour.end = Ref(1)
    }
    #expect(tour.end?.size == 7)
    let events = Recorder(tour.didChange)
    try store.commit { try $0.update(Town.self, 1) { $0.size = 8 } }
    #expect(tour.end?.size == 8)
    try store.commit { try $0.update(Town.self, 1) { $0.name = "Lund" } }
    #expect(events.values.count == 1)
  }

  @Test func `F8: two texts that only Swift's == takes for equal are a change`() throws {
    let store = try TestStorage.memory.makeDriverFleet()
    try store.fillDriverFleet()
    let driver = try ObservedEntity<Driver>(1, in: store) { $0.firm.name }
    let names = Recorder(driver.changes(of: \.name))
    let firms = Recorder(driver.changes { $0.firm?.name })
    try driver.update { $0.name = "\u{E9}" }
    try driver.update { $0.name = "e\u{301}" }
    try store.commit { try $0.update(Firm.self, 1) { $0.name = "\u{E9}" } }
    try store.commit { try $0.update(Firm.self, 1) { $0.name = "e\u{301}" } }
    #expect(names.values.count == 2)
    #expect(firms.values.count == 2)
  }
}

/// A way from one town to another, which includes something else of each.
private struct Tour: Entity {
  let id: Int
  var start: Ref<Town>?
  var end: Ref<Town>?
  static let attributes = Attributes(
    .id(\Tour.id), .one("start", \.start, onDelete: .nullify),
    .one("end", \.end, onDelete: .nullify))
  static let schema = Schema(attributes, Tour.init)
}
