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
  private static func check<List: ListModel>(_ list: List, _ change: () throws -> Void) throws {
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
    list.pause()
    try change()
    try change()
    #expect(events.values.count == 1 && list.snapshot.version == after.version)
    list.resume()
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
    try Self.check(cars, change)
    try Self.check(cars.map { CarRow(diffIdentifier: $0.id, title: "\($0.year)", band: 0) }, change)
    try Self.check(cars.filter { $0.id != 2 }, change)
    try Self.check(cars.concatenated(with: cars.filter { $0.id > 100 }), change)
    try Self.check(try IndexedObjectsModel(byOwner, in: store), change)
    #expect(cars.subscriptionCount == 0)
  }

  @Test func `a list of objects that isn't a result has their objects and their sums`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner.aggregating { $0.year }, in: store)
    let years = cars.snapshot.objects.map(\.year)
    let recent = cars.filter { $0.year > 1990 }
    let both = cars.concatenated(with: recent)
    #expect(recent.snapshot.objects.map(\.year) == years.filter { $0 > 1990 })
    #expect(recent.snapshot.fetchedObjects.map(\.id) == recent.snapshot.objects.map(\.id))
    #expect(try recent.snapshot.sum { $0.year } == years.filter { $0 > 1990 }.reduce(0, +))
    #expect(try both.snapshot.sum { $0.year } == (years + years.filter { $0 > 1990 }).reduce(0, +))
    #expect(both.snapshot.min { $0.year } == years.min())
    let section = try #require(recent.sections.first)
    #expect(try section.sum { $0.year } == section.objects.map(\.year).reduce(0, +))
    #expect(section.count(of: { $0.year }) == section.count)
  }

  @Test func `the sums of lists of several queries are refused`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try TestStorage.memory.makeGarage()
      let cars = try FetchedObjectsModel(Query<Car>().aggregating { $0.year }, in: store)
      let others = try FetchedObjectsModel(
        Query<Car>().filter { $0.year > 0 }.aggregating { $0.year }, in: store)
      _ = try cars.concatenated(with: others).snapshot.sum { $0.year }
    }
    let message = String(decoding: trap.standardErrorContent, as: UTF8.self)
    #expect(message.contains("The rows come from several queries"))
  }
}
