import Fixtures
import Foundation
import FoundationSupport
import Locking
import Relays
import SignalboxTesting
import TestSupport
import Testing

@_spi(Inspection) import EntityStore
@_spi(Inspection) import FetchedObjects

private let late = Query<Chore>().filter { $0.due < Moment.now }

@Suite struct TimeValueTests {
  @Test func `F15, F17: a value is read again at the next boundary of what it has read`()
    async throws
  {
    let clock = ManualClock()
    let time = TimeSource(clock, startingAt: Date(timeIntervalSince1970: 100))
    let store = try TestStorage.memory.makeChores(time)
    try store.commit { draft in
      for id in 0..<3 { try draft.insert(Chore(id, due: 110 + 10 * Double(id / 2))) }
    }
    #expect(store.now == Date(timeIntervalSince1970: 100))
    let count = try ObservedValue(in: store) { try $0.count(late) }
    let changes = Recorder(count.didChange)
    #expect(count.value == 0)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(11))
    #expect(await changes.waitForValues(1) == [ValueChange(old: 0, new: 2)])
    #expect(store.now == Date(timeIntervalSince1970: 111))
    #expect(count.work.fetches == 1)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(10))
    #expect(await changes.waitForValues(2).map(\.new) == [2, 3])
    #expect(await becomesTrue { clock.sleeperCount == 0 })
  }

  @Test func `a value's reading has the plans that the store has, for conditions of time, too`()
    throws
  {
    let store = try TestStorage.file.makeChores(SetClock().source)
    let plan = try ObservedValue(in: store) { try late.plan(in: $0).description }
    #expect(plan.value == (try late.plan(in: store).description))
    #expect(try late.plan(in: store).isWhollySaid)
  }

  @Test(arguments: TestStorage.withServer)
  func `F15, F17: after any commit and any step of the clock, a value is that of a fresh reading`(
    _ storage: TestStorage
  ) async throws {
    for seed in seeds(storage == .memory ? 60 : 8) {
      var random = SeededGenerator(seed: seed)
      let clock = SetClock()
      let store = try storage.makeChores(clock.source)
      let reads: [@Sendable (borrowing Reader) throws -> [Int]] = [
        { [try $0.count(late)] },
        { try $0.fetch(Query<Chore>().filter { $0.due >= .now(adding: .seconds(1)) }).map(\.id) },
        { reader in
          let open = try reader.count(Query<Chore>().filter { $0.isOpen })
          return open > 3 ? [try reader.count(late), open] : [open]
        },
        { reader in
          try reader.fetch(Query<ChoreList>().filter { $0.chores.any { $0.due < Moment.now } })
            .map(\.id)
        },
        { try $0.fetch(Query<Chore>().sorted { [($0.due < Moment.now).descending] }).map(\.id) },
        { reader in
          try reader.fetch(Query<Chore>().filter { $0.isOpen && $0.list.opens <= Moment.now })
            .map(\.id)
        },
        { [try $0.max(of: late) { $0.id } ?? -1] },
        { try ListSnapshot(late.sectioned { $0.isOpen }, in: $0).rows.map(\.value.id) },
        { reader in
          [try reader.count(Query<Chore>().filter { $0.name == "b" && $0.due < Moment.now })]
        },
      ]
      let values = try reads.map { try ObservedValue(in: store, $0) }
      let told = Locked(values.map(\.value))
      let tokens = values.indices.map { index in
        values[index].didChange.subscribe { change in
          told.withLock {
            expectEqual($0[index], change.old ?? [], "seed \(seed): events lead on")
            $0[index] = change.new
          }
        }
      }
      for step in 0..<40 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: clock.now += Double(Int.random(in: -2...4, using: &random)) / 2
        case 1:
          clock.now += Double(Int.random(in: 0...2, using: &random)) / 2
          try TimeOracleTests.commit(store, &random)
        default: try TimeOracleTests.commit(store, &random)
        }
        await store.clockHasChanged()
        let fresh = try store.read { reader in try reads.map { try $0(reader) } }
        expectEqual(values.map(\.value), fresh, "seed \(seed), step \(step)")
        expectEqual(told.withLock { $0 }, fresh, "seed \(seed), step \(step): told")
      }
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func `F15, F17: what is read for the first time is read at the present instant`() throws {
    let clock = SetClock(100)
    let store = try TestStorage.memory.makeChores(clock.source)
    try store.commit { try $0.insert(Chore(1, due: 110)) }
    let value = try ObservedValue(in: store) { reader in
      let never = try reader.count(Query<Chore>().filter { $0.due < Moment.now && $0.id == 9 })
      let isAsked = try reader.count(Query<Chore>().filter { $0.name == "asked" }) > 0
      return try never + (isAsked ? 10 + reader.count(late) : 0)
    }
    let changes = Recorder(value.didChange)
    clock.now = 120
    try store.commit { try $0.insert(Chore(2, name: "asked")) }
    #expect(changes.values == [ValueChange(old: 0, new: 11)])
  }

  @Test func `F17: an event of time has the version of the last commit`() async throws {
    let clock = SetClock(100)
    let store = try TestStorage.memory.makeChores(clock.source)
    try store.commit { try $0.insert(Chore(1, due: 110)) }
    let model = try FetchedObjectsModel(late, in: store)
    let events = Recorder(model.didChange)
    for id in 1...3 { try store.commit { try $0.insert(ChoreList(id, opens: 0)) } }
    clock.now = 120
    await store.clockHasChanged()
    #expect(events.values.map(\.versions) == [4...4])
  }

  @Test func `a clock that is far from its beginning is waited for`() async throws {
    let clock = ManualClock()
    let time = TimeSource(clock, secondsSince1970: 0)
    clock.advance(by: .seconds(4_000_000_000))
    let store = try TestStorage.memory.makeChores(time)
    try store.commit { try $0.insert(Chore(1, due: 4_000_000_100)) }
    let model = try FetchedObjectsModel(late, in: store)
    let events = Recorder(model.didChange)
    await clock.waitForSleepers()
    #expect(model.fetchedObjects.isEmpty && clock.sleeperCount == 1)
    clock.advance(by: .seconds(101))
    #expect(await events.waitForValues(1).count == 1)
  }
}
