import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import FoundationSupport
import SignalboxTesting
import TestSupport
import Testing

private let due = Query<Chore>().filter { $0.due <= Moment.now }

extension Store {
  fileprivate func putOff(to seconds: Double) throws {
    try commit {
      try $0.update(Chore.self, 0) { $0.due = Date(timeIntervalSince1970: seconds) }
    }
  }
}

/// A sleep that is cancelled stays in the system's clock until its end.
@Suite(.timeLimit(.minutes(20))) struct TimeSleepTests {
  @Test func `F17: commits that put off a boundary begin no other sleep`() async throws {
    let clock = SetClock(100)
    let store = try makeChores(.memory, clock.source, [200])
    let model = try FetchedObjectsModel(due, in: store)
    #expect(await becomesTrue { clock.begun == [200] })
    for seconds in 201...300 { try store.putOff(to: Double(seconds)) }
    #expect(await !becomesTrue(within: .milliseconds(50)) { clock.begun != [200] })
    // An earlier one does.
    try store.putOff(to: 150)
    #expect(await becomesTrue { clock.begun == [200, 150] })
    #expect(model.fetchedObjects.isEmpty)
  }

  @Test func `F17: a clock set forward past the kept sleep is followed at the next commit`()
    async throws
  {
    let clock = SetClock(100)
    let store = try makeChores(.memory, clock.source, [200])
    let model = try FetchedObjectsModel(due, in: store)
    #expect(await becomesTrue { clock.begun == [200] })
    try store.putOff(to: 1000)
    clock.now = 300
    try store.putOff(to: 310)
    #expect(await becomesTrue { clock.begun == [200, 310] })
    #expect(model.fetchedObjects.isEmpty)
  }

  @Test func `F17: a boundary that was put off is slept for when the sleep before it ends`()
    async throws
  {
    let clock = ManualClock()
    let time = TimeSource(clock, startingAt: Date(timeIntervalSince1970: 1000))
    let store = try makeChores(.memory, time, [1060])
    let model = try FetchedObjectsModel(due, in: store)
    await clock.waitForSleepers()
    try store.putOff(to: 1120)
    clock.advance(by: .seconds(60))
    await clock.waitForSleepers()
    #expect(model.fetchedObjects.isEmpty && clock.sleeperCount == 1)
    clock.advance(by: .seconds(60))
    #expect(await becomesTrue { model.fetchedObjects.map(\.id) == [0] })
  }

  @Test func `F17: the sleep ends if nothing lies ahead, though its boundary was put off`()
    async throws
  {
    let clock = ManualClock()
    let time = TimeSource(clock, startingAt: Date(timeIntervalSince1970: 1000))
    let store = try makeChores(.memory, time, [1060])
    var model: FetchedObjectsModel? = try FetchedObjectsModel(due, in: store)
    await clock.waitForSleepers()
    try store.putOff(to: 1120)
    try store.commit { try $0.delete(Chore.self, 0) }
    #expect(await becomesTrue { clock.sleeperCount == 0 })
    try store.commit { try $0.insert(Chore(0, due: 1060)) }
    await clock.waitForSleepers()
    try store.putOff(to: 1120)
    withExtendedLifetime(model) {}
    model = nil
    #expect(await becomesTrue { clock.sleeperCount == 0 })
  }

  @Test(arguments: [false, true])
  func `F17: a clock that is set back by less than the sleep has taken is followed at its end`(
    _ isMadeLate: Bool
  ) async throws {
    let (shown, sleeps) = (SetClock(1000), ManualClock())
    // A sleep takes as long as it should, whatever the clock shows meanwhile.
    let time = TimeSource {
      shown.now
    } sleep: { instant in
      let wait = Duration.seconds(instant - shown.now)
      try await sleeps.sleep(until: sleeps.now.advanced(by: wait))
    }
    let store = try makeChores(.memory, time, isMadeLate ? [1200] : [])
    try store.commit { try $0.insert(ChoreList(0, opens: 1300)) }
    let lists = try FetchedObjectsModel(
      Query<ChoreList>().filter { $0.opens <= Moment.now }, in: store)
    let early = try isMadeLate ? nil : FetchedObjectsModel(due, in: store)
    await sleeps.waitForSleepers()
    shown.now = 1250
    if !isMadeLate { try store.commit { try $0.insert(Chore(0, due: 1200)) } }
    let model = try early ?? FetchedObjectsModel(due, in: store)
    #expect(model.fetchedObjects.map(\.id) == [0])
    shown.now = 1100
    sleeps.advance(by: .seconds(300))
    #expect(await becomesTrue { model.fetchedObjects.isEmpty })
    #expect(lists.fetchedObjects.isEmpty)
    // The next sleep ends at the chore's time.
    await sleeps.waitForSleepers()
    shown.now = 1200
    sleeps.advance(by: .seconds(100))
    #expect(await becomesTrue { model.fetchedObjects.map(\.id) == [0] })
  }

  @Test func `F17: a boundary far ahead is slept for in parts of an hour`() async throws {
    let (set, clock) = (SetClock(100), ManualClock())
    let other = try makeChores(.memory, set.source, [1e9])
    let otherModel = try FetchedObjectsModel(due, in: other)
    #expect(await becomesTrue { set.begun == [3700] })
    withExtendedLifetime(otherModel) {}

    let time = TimeSource(clock, startingAt: Date(timeIntervalSince1970: 1000))
    let store = try makeChores(.memory, time, [11_000])
    let model = try FetchedObjectsModel(due, in: store)
    for _ in 0..<2 {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(3600))
    }
    await clock.waitForSleepers()
    #expect(model.fetchedObjects.isEmpty)
    clock.advance(by: .seconds(2801))
    #expect(await becomesTrue { model.fetchedObjects.map(\.id) == [0] })
  }
}
