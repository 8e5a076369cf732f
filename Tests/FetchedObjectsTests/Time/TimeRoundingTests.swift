import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import FoundationSupport
import SignalboxTesting
import TestSupport
import Testing

private let due = Query<Chore>().filter { $0.due <= Moment.now }

/// A number of seconds since 1970 is known to a quarter of a microsecond at present.
@Suite struct TimeRoundingTests {
  @Test(arguments: [0, 100])
  func `F17: a model wakes when the clock reads the instant, though that is rounded`(
    _ passed: Int
  ) async throws {
    let clock = ManualClock()
    let time = TimeSource(clock, startingAt: Date(timeIntervalSince1970: 1_700_000_000))
    clock.advance(by: .milliseconds(passed))
    let store = try makeChores(.memory, time, [1_700_000_000.2])
    let model = try FetchedObjectsModel(due, in: store)
    await clock.waitForSleepers()
    #expect(model.fetchedObjects.isEmpty)
    clock.advance(by: .milliseconds(200 - passed))
    #expect(await becomesTrue { model.fetchedObjects.map(\.id) == [0] })
  }

  @Test func `F17: a clock that stands just before an instant is waited for`() async throws {
    let clock = ManualClock()
    let time = TimeSource(clock, startingAt: Date(timeIntervalSince1970: 1_700_000_000))
    let store = try makeChores(.memory, time, [1_700_000_000.2])
    let model = try FetchedObjectsModel(due, in: store)
    await clock.waitForSleepers()
    clock.advance(by: .nanoseconds(199_999_800))
    await clock.waitForSleepers()
    #expect(model.fetchedObjects.isEmpty && clock.sleeperCount == 1)
    clock.advance(by: .nanoseconds(1_000))
    #expect(await becomesTrue { model.fetchedObjects.map(\.id) == [0] })
  }
}
