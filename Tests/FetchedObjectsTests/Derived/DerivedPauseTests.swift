import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Relays
import TestSupport
import Testing

/// A list that applies the events of a model, and so has to equal what the model shows.
private final class Follower {
  private let name: String
  private let model: DerivedModel<CarRow>
  private let events: Recorder<ListEvent<CarRow>>
  private(set) var eventCount = 0
  private var list: [ListSection<String, CarRow>]

  init(_ name: String, _ model: DerivedModel<CarRow>) {
    self.name = name
    self.model = model
    events = Recorder(model.didChange)
    list = Self.list(of: model.snapshot)
  }

  static func list(of snapshot: ListSnapshot<CarRow>) -> [ListSection<String, CarRow>] {
    snapshot.sections.map { ListSection(header: $0.name, rows: $0.rows) }
  }

  /// Applies the events since the last check, of which there may be `count`.
  func check(atMost count: Int, _ trace: String) throws {
    let trace = "\(name), \(trace)"
    let new = events.values.dropFirst(eventCount)
    #expect(new.count <= count, "\(trace): events")
    for event in new {
      #expect(Self.list(of: event.before) == list, "\(trace): before")
      #expect(!event.changes.isEmpty, "\(trace): an event without changes")
      try event.changes.validate(old: event.before.rowCounts, new: event.after.rowCounts)
      let after = Self.list(of: event.after)
      event.changes.apply(to: &list, header: { after[$0].header }, row: { after[$0] })
      #expect(list == after, "\(trace): after")
    }
    #expect(Self.list(of: model.snapshot) == list, "\(trace): what is shown")
    eventCount += new.count
  }
}

@Suite(.oneThread) struct DerivedPauseTests {
  @Test
  func `F6: a paused derived list keeps its rows, and one event leads to those of its source`()
    throws
  {
    for seed in seeds(20) { try follow(seed: UInt64(seed)) }
  }

  private func follow(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try TestStorage.memory.makeGarage()
    var writer = RandomWriter(random: SeededGenerator(seed: seed + 50))
    for _ in 0..<3 { try writer.commit(store) }
    let cars = try FetchedObjectsModel(byOwner, in: store)
    let row: @Sendable (EntityView<Car>) -> CarRow = {
      CarRow(diffIdentifier: $0.id, title: "\($0.year)", band: 0)
    }
    let paused = cars.map(row)
    let models = [
      ("map", paused), ("filter of it", paused.filter { $0.diffIdentifier % 2 == 0 }),
      ("with others", paused.concatenated(with: cars.map(row))), ("other", cars.map(row)),
    ]
    let followers = models.map { Follower($0, $1) }
    for step in 0..<30 {
      let trace = "seed \(seed), step \(step)"
      if Int.random(in: 0..<3, using: &random) == 0 {
        paused.pause()
        paused.pause()
        let shown = paused.snapshot.rows
        let commits = Int.random(in: 0..<4, using: &random)
        for _ in 0..<commits { try writer.commit(store) }
        #expect(paused.snapshot.rows == shown, "\(trace): the list is paused")
        try followers[0].check(atMost: 0, "\(trace), paused")
        try followers[1].check(atMost: 0, "\(trace), paused")
        try followers[2].check(atMost: commits, "\(trace), paused")
        paused.resume()
        paused.resume()
        #expect(paused.snapshot.rows == cars.snapshot.rows.map(row), "\(trace): resumed")
        for follower in followers { try follower.check(atMost: max(1, commits), trace) }
      } else {
        try writer.commit(store)
        for follower in followers { try follower.check(atMost: 1, trace) }
      }
    }
    for follower in followers { #expect(follower.eventCount > 0) }
  }

  @Test func `F6: a list that has been resumed without a difference sends nothing`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    let models = cars.map { CarRow(diffIdentifier: $0.id, title: $0.model, band: 0) }
    let events = Recorder(models.didChange)
    models.pause()
    try store.commit { try $0.update(Car.self, 1) { $0.model = "X" } }
    try store.commit { try $0.update(Car.self, 1) { $0.model = "Volvo" } }
    let before = try #require(models.row(for: 1))
    try store.commit { try $0.update(Car.self, 1) { $0.model = before.title } }
    models.resume()
    #expect(events.values.isEmpty)
    #expect(
      models.snapshot.rows
        == cars.snapshot.rows.map { CarRow(diffIdentifier: $0.id, title: $0.model, band: 0) })
  }

  @Test @MainActor func `F6: a resumed list delivers in its delivery context`() async throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store, delivery: .mainActor)
    let rows = cars.map { CarRow(diffIdentifier: $0.id, title: "\($0.year)", band: 0) }
    let events = rows.didChange.values()
    rows.pause()
    try store.commit { try $0.update(Car.self, 1) { $0.year = 3000 } }
    let direct = cars.didChange.values()
    try store.commit { try $0.update(Car.self, 2) { $0.year = 3001 } }
    for await _ in direct { break }
    #expect(rows.row(for: 1)?.title != "3000")
    rows.resume()
    for await event in events {
      #expect(event.changes.updates.count + event.changes.moves.count == 2)
      break
    }
    #expect(rows.row(for: 1)?.title == "3000" && rows.row(for: 2)?.title == "3001")
  }
}
