import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import FoundationSupport
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
}
