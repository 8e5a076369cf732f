import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Observation
import Relays
import TestSupport
import Testing

/// The laws that hold for every model of a list.
@Suite struct ListModelTests {
  private static func check<List: ListModel>(
    _ list: List, pause: () -> Void, resume: () -> Void, _ change: () throws -> Void
  ) throws {
    let counted = Counter()
    let orders = Counter()
    let before = list.snapshot
    withObservationTracking {
      _ = list.count
    } onChange: {
      counted.add(1)
    }
    withObservationTracking {
      _ = list.sectionIDs
    } onChange: {
      orders.add(1)
    }
    let order = Recorder(
      Signal.merge([
        list.willChange.map { _ in "will" }, list.didChange.map { _ in "did" },
        list.steps.map { step in
          switch step {
          case .begin: "begin"
          case .section: "section"
          case .row: "row"
          case .end: "end"
          }
        },
      ]))
    let events = Recorder(list.didChange)
    #expect(list.sectionIDs == list.sections.map(\.id))
    try change()
    let event = try #require(events.values.first)
    #expect(counted.value == 1 && orders.value == 0)
    #expect(order.values.first == "will" && order.values.last == "did")
    #expect(order.values.dropFirst().first == "begin" && order.values.dropLast().last == "end")
    #expect(order.values.count { $0 == "row" } == event.changes.inOrder.count)
    #expect(event.before.rowCounts == before.rowCounts)
    // Every way to a row and to a section leads to the same.
    let after = list.snapshot
    #expect(after.rowCounts == event.after.rowCounts)
    #expect(list.count == after.rows.count && after.totalCount == list.count)
    var position = 0
    for (section, info) in list.sections.enumerated() {
      #expect(after.section(for: info.id)?.count == info.count)
      #expect(list.section(for: info.id)?.name == info.name)
      for (row, value) in info.enumerated() {
        let path = ListPath(section: section, row: row)
        #expect(list.row(at: path).diffIdentifier == value.diffIdentifier)
        #expect(list.path(for: value.diffIdentifier) == path)
        #expect(list.row(for: value.diffIdentifier)?.diffIdentifier == value.diffIdentifier)
        #expect(after.path(at: position) == path && after.position(of: path) == position)
        position += 1
      }
      #expect(info.rows.map(\.diffIdentifier) == info.map(\.diffIdentifier))
    }
    #expect(before.changes(to: before).moves.isEmpty && before.changes(to: before).deletes.isEmpty)
    try before.changes(to: after).validate(old: before.rowCounts, new: after.rowCounts)
    // The net of what happens while it is paused is one event.
    pause()
    try change()
    try change()
    #expect(events.values.count == 1 && list.snapshot.version == after.version)
    resume()
    #expect(events.values.count == 2)
  }

  @Test func `F2, F9: all list models have the same members, with the same meaning`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    var year = 3000
    let change = {
      year += 1
      try store.commit { draft in try draft.update(Car.self, 1) { $0.year = year } }
    }
    let cars = try FetchedObjectsModel(byOwner, in: store)
    func check(_ list: some ListModel) throws {
      try Self.check(list, pause: { cars.pause() }, resume: { cars.resume() }, change)
    }
    try check(cars)
    try check(cars.map { CarRow(diffIdentifier: $0.id, title: "\($0.year)", band: 0) })
    try check(cars.filter { $0.id != 2 })
    try check(cars.concatenated(with: cars.filter { $0.id > 100 }))
    let index = try IndexedObjectsModel(byOwner, in: store)
    try Self.check(index, pause: { index.pause() }, resume: { index.resume() }, change)
    #expect(cars.subscriptionCount == 0)
  }

  @Test func `a list of objects that isn't a result has their objects and no sums`() async throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner.aggregating { $0.year }, in: store)
    let years = cars.snapshot.objects.map(\.year)
    let recent = cars.filter { $0.year > 1990 }
    #expect(recent.snapshot.objects.map(\.year) == years.filter { $0 > 1990 })
    #expect(recent.snapshot.fetchedObjects.map(\.id) == recent.snapshot.objects.map(\.id))
    let section = try #require(recent.sections.first)
    #expect(section.objects.map(\.id) == section.map(\.id))
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try TestStorage.memory.makeGarage()
      let cars = try FetchedObjectsModel(Query<Car>().aggregating { $0.year }, in: store)
      _ = try cars.filter { $0.year > 0 }.snapshot.sum { $0.year }
    }
    #expect(Self.message(of: trap).contains("A list that is derived from others has no sums"))
  }

  @Test func `S8: a derived list finds an object by the bytes of its id`() throws {
    let store = try Store(.inMemory, entities: [Place.self])
    let (one, two) = ("e\u{301}", "\u{E9}")
    try store.commit { draft in
      try draft.insert(Place(id: one, visits: 1))
      try draft.insert(Place(id: two, visits: 2))
    }
    let places = try FetchedObjectsModel(Query<Place>(), in: store)
    let filtered = places.filter { _ in true }
    let whole = filtered.concatenated(with: places)
    for list in [places.snapshot, filtered.snapshot, whole.snapshot] {
      #expect(list.row(for: one)?.visits == 1 && list.row(for: two)?.visits == 2)
      #expect(list.path(for: two) == ListPath(section: 0, row: 1))
    }
    try store.commit { try $0.delete(Place.self, one) }
    for list in [places.snapshot, filtered.snapshot, whole.snapshot] {
      #expect(list.row(for: one) == nil && list.row(for: two)?.visits == 2)
    }
  }

  @Test func `no list can be derived from an index-only list`() async throws {
    for kind in 0..<2 {
      let trap = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [kind = kind as Int] in
        let store = try TestStorage.memory.makeGarage()
        let index = try IndexedObjectsModel(Query<Car>(), in: store)
        if kind == 0 { _ = index.filter { _ in true } }
        _ = index.concatenated(with: index)
      }
      #expect(Self.message(of: trap).contains("An index-only list has no objects"))
    }
  }

  @Test func `F9: each read of an index-only list is noted`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let index = try IndexedObjectsModel(byOwner, in: store)
    let first = ListPath(section: 0, row: 0)
    let reads: [() throws -> Void] = [
      { _ = try index.object(at: first) }, { _ = try index.view(at: first) },
      { _ = try index.id(at: first) }, { _ = try index.objects(at: [first]) },
      { _ = try index.path(for: 1) }, { _ = index.snapshot }, { _ = index.row(at: first) },
    ]
    for (number, read) in reads.enumerated() {
      let counter = Counter()
      withObservationTracking {
        do { try read() } catch { Issue.record(error) }
      } onChange: {
        counter.add(1)
      }
      try store.commit { try $0.update(Car.self, 1) { $0.year += 1 } }
      #expect(counter.value == 1, "read \(number)")
    }
  }

  @Test func `a flat part isn't the same section as another flat part`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(Query<Car>(), in: store)
    let others = try FetchedObjectsModel(Query<Car>(), in: store)
    let both = cars.concatenated(with: others)
    let before = both.snapshot
    try cars.setQuery(byOwner)
    let changes = before.changes(to: both.snapshot)
    #expect(changes.deletedSections == [0] && changes.moves.allSatisfy { $0.old.section == 0 })
  }

  @Test func `S6: a step prints a row without its control characters`() throws {
    let store = try TestStorage.memory.makeGarage()
    let names = try FetchedObjectsModel(Query<Person>(), in: store).map { $0.name }
    let steps = Recorder(names.steps)
    try store.commit { try $0.insert(Person(id: 1, name: "a\nINFO forged", age: nil)) }
    let words = steps.values.map { "\($0)" }
    #expect(words.count == 3 && !words.contains { $0.contains("\n") })
  }

  private static func message(of trap: ExitTest.Result) -> String {
    String(decoding: trap.standardErrorContent, as: UTF8.self)
  }
}
