import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import FoundationSupport
import SQLitePersistence
import SignalboxTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct TimeClosingTests {
  @Test(arguments: TestStorage.allCases)
  func `S11: a closed store no longer sleeps, and its models stay as they are`(
    _ storage: TestStorage
  ) async throws {
    let clock = ManualClock()
    let time = TimeSource(clock, startingAt: Date(timeIntervalSince1970: 1000))
    let store = try makeChores(storage, time, [nil, 1120, 900])
    let model = try FetchedObjectsModel(
      Query<Chore>().filter { $0.due <= .now(adding: .minutes(1)) }, in: store)
    await clock.waitForSleepers()
    await store.close()
    #expect(await becomesTrue { clock.sleeperCount == 0 })
    clock.advance(by: .seconds(1000))
    await store.clockHasChanged()
    #expect(model.fetchedObjects.map(\.id) == [2])
    #expect(await !becomesTrue(within: .milliseconds(50)) { clock.sleeperCount > 0 })
  }

  @Test func `F17: a task that is cancelled looks at the clock, too, and makes no error`()
    async throws
  {
    let path = temporaryPath("store")
    let clock = SetClock(100)
    func open() throws -> Store {
      try Store(
        .sqlite(path: path, watching: .none), entities: [Chore.self, ChoreList.self],
        time: clock.source)
    }
    let (mine, others) = (try open(), try open())
    try mine.commit { try $0.insert(Chore(0, due: 170)) }
    let model = try FetchedObjectsModel(
      Query<Chore>().filter { $0.due <= .now(adding: .minutes(1)) }, in: mine)
    let errors = Recorder(mine.errors)
    try others.commit { try $0.insert(Chore(1, due: 170)) }
    clock.now = 110
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await mine.clockHasChanged()
    }
    await task.value
    #expect(errors.values.isEmpty && model.error == nil)
    #expect(model.fetchedObjects.map(\.id) == [0, 1])
  }
}
