import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import FoundationSupport
import ListDiffing
import SignalboxTesting
import TestSupport
import Testing

@Suite struct TimeRowTests {
  @Test(arguments: TestStorage.withServer)
  func `F17: rows pass through sections by several conditions as time passes`(
    _ storage: TestStorage
  ) async throws {
    let clock = SetClock(100)
    let store = try makeChores(storage, clock.source, [nil, 90, 110, 150, 300])
    let model = try FetchedObjectsModel(
      Query<Chore>().sorted { [$0.id.ascending] }.sectioned {
        ($0.due < Moment.now).asInt + ($0.due < .now(adding: .minutes(1))).asInt
      }, in: store)
    func sections() -> [String] {
      model.sections.map { "\($0.name): \($0.map(\.id))" }
    }
    #expect(sections() == ["0: [0, 4]", "1: [2, 3]", "2: [1]"])
    let events = Recorder(model.didChange)
    clock.now = 111
    await store.clockHasChanged()
    #expect(sections() == ["0: [0, 4]", "1: [3]", "2: [1, 2]"])
    #expect(events.values.last?.changes.moves.count == 1)
    clock.now = 250
    await store.clockHasChanged()
    #expect(sections() == ["0: [0]", "1: [4]", "2: [1, 2, 3]"])
    #expect(events.values.count == 2)
  }

  @Test(arguments: TestStorage.withServer)
  func `F17: a row that includes a condition is updated when its time has come`(
    _ storage: TestStorage
  ) async throws {
    let clock = SetClock(100)
    let store = try makeChores(storage, clock.source, [nil, 90, 110, 120])
    let model = try FetchedObjectsModel(
      Query<Chore>().sorted { [$0.id.ascending] }.including { $0.due < Moment.now }, in: store)
    func overdue() -> [Int] {
      model.snapshot.rows.filter { $0.computed { $0.due < Moment.now } }.map(\.id)
    }
    #expect(overdue() == [1])
    let events = Recorder(model.didChange)
    clock.now = 111
    await store.clockHasChanged()
    #expect(overdue() == [1, 2])
    #expect(events.values.count == 1)
    #expect(events.values[0].changes.updates.map(\.new) == [ListPath(section: 0, row: 2)])
    try store.commit { try $0.update(Chore.self, 2) { $0.due = nil } }
    #expect(overdue() == [1])
  }

  @Test func `F7, F17: a window around a row moves with time`() async throws {
    let clock = SetClock(100)
    let store = try makeChores(.memory, clock.source, [160, 170, 180])
    let model = try FetchedObjectsModel(
      Query<Chore>().filter { $0.due <= .now(adding: .minutes(1)) }.sorted { [$0.due.ascending] },
      in: store)
    try model.setWindow(around: 0, before: 0, after: 2)
    #expect(model.fetchedObjects.map(\.id) == [0])
    clock.now = 120
    await store.clockHasChanged()
    #expect(model.fetchedObjects.map(\.id) == [0, 1, 2])
  }
}
