import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import FoundationSupport
import ListDiffing
import SQLitePersistence
import SignalboxTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct SuspendedTimeTests {
  @Test func `F17, P7: a boundary while a store is suspended is shown once it resumes`()
    async throws
  {
    let clock = ManualClock()
    let time = TimeSource(clock, startingAt: Date(timeIntervalSince1970: 1000))
    let store = try Store(
      .sqlite(path: temporaryPath("store")), entities: [Chore.self, ChoreList.self], time: time)
    try store.commit { try $0.insert(Chore(0, due: 1120)) }
    let model = try FetchedObjectsModel(
      Query<Chore>().filter { $0.due <= .now(adding: .minutes(1)) }, in: store)
    let errors = Recorder(model.errors)
    await clock.waitForSleepers()
    #expect(store.suspend(within: .seconds(300)))
    clock.advance(by: .seconds(60))
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1800))
    await clock.waitForSleepers()
    #expect(model.fetchedObjects.isEmpty)
    store.resume()
    #expect(await becomesTrue { model.fetchedObjects.map(\.id) == [0] })
    #expect(errors.values.isEmpty && model.error == nil)
  }

  @Test func `F17, P7: a boundary that suspending interrupts is passed after the store resumes`()
    async throws
  {
    let clock = ManualClock()
    let time = TimeSource(clock, startingAt: Date(timeIntervalSince1970: 1000))
    let store = try Store(
      .sqlite(path: temporaryPath("store"), watching: .none),
      entities: [Chore.self, ChoreList.self], time: time)
    try store.commit { try $0.insert(Chore(0, due: 1120)) }
    let isArmed = Counter()
    let value = try ObservedValue(in: store) { reader in
      if isArmed.value == 1 {
        isArmed.set(0)
        TestThread { _ = store.suspend(within: .zero) }.join()
      }
      return try reader.count(Query<Chore>().filter { $0.due <= .now(adding: .minutes(1)) })
    }
    let errors = Recorder(value.errors)
    await clock.waitForSleepers()
    isArmed.set(1)
    clock.advance(by: .seconds(61))
    #expect(await becomesTrue { isArmed.value == 0 })
    #expect(store.suspend(within: .seconds(300)))
    store.resume()
    #expect(await becomesTrue { value.value == 1 })
    #expect(errors.values.isEmpty && value.error == nil)
  }

  @Test func `P7: a store that isn't watching merges nothing when it resumes`() async throws {
    let path = temporaryPath("store")
    func open() throws -> Store {
      try Store(
        .sqlite(path: path, watching: .none), entities: [Chore.self, ChoreList.self])
    }
    let (store, other) = (try open(), try open())
    let model = try FetchedObjectsModel(Query<Chore>(), in: store)
    let events = Recorder(model.didChange)
    #expect(store.suspend())
    try other.commit { try $0.insert(Chore(0)) }
    store.resume()
    #expect(await !becomesTrue(within: .milliseconds(100)) { !events.values.isEmpty })
    try other.commit { try $0.insert(Chore(1)) }
    try store.refresh()
    #expect(events.values.map(\.changes.inserts.count) == [2])
  }
}
