@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import FoundationSupport
import Locking
import TestSupport
import Testing

@Suite struct TimeErrorTests {
  private let clock = SetClock(100)
  private let store: Store
  private let due = Query<ChoreList>().filter { $0.opens <= Moment.now }
    .including { $0.chores.sum { $0.id } }
  private let overflow = StoreError.overflow(entity: "Chore")

  /// Makes a list that can't be read together with its sum, and isn't open before 110.
  init() throws {
    store = try TestStorage.memory.makeChores(clock.source)
    try store.commit { draft in
      try draft.insert(ChoreList(1, opens: 110))
      for id in [1, Int.max] { try draft.insert(Chore(id, list: 1)) }
    }
  }

  @Test func `F11, F17: the error of a boundary is shown though a commit to others waits with it`()
    async throws
  {
    let first = try FetchedObjectsModel(due, in: store)
    let second = try FetchedObjectsModel(Query<ChoreList>(), in: store)
    second.pause()
    // It concerns only the query that the second model shows.
    try store.commit { try $0.insert(ChoreList(2, opens: 1000)) }
    try second.setQuery(due)
    clock.now = 110
    await store.clockHasChanged()
    #expect(first.error as? StoreError == overflow)
    second.resume()
    #expect(second.error as? StoreError == overflow)
    #expect(second.fetchedObjects.isEmpty)
    try store.commit { try $0.delete(Chore.self, Int.max) }
    for model in [first, second] {
      #expect(model.error == nil)
      #expect(model.fetchedObjects.map(\.id) == [1])
    }
  }

  @Test func `F11, F17: an error ends if the clock is set back to the instant before it`()
    async throws
  {
    let model = try FetchedObjectsModel(due, in: store)
    let events = Recorder(model.didChange)
    clock.now = 110
    await store.clockHasChanged()
    #expect(model.error as? StoreError == overflow)
    clock.now = 100
    await store.clockHasChanged()
    #expect(model.error == nil)
    #expect(events.values.isEmpty)
    // The store sleeps until the boundary again, not until it would try again.
    #expect(await becomesTrue { clock.begun.count { $0 == 110 } >= 2 })
    try store.commit { try $0.delete(Chore.self, Int.max) }
    clock.now = 110
    await store.clockHasChanged()
    #expect(model.fetchedObjects.map(\.id) == [1])
  }

  @Test func `F17: a boundary that couldn't be evaluated is tried again after a second, then two`()
    async throws
  {
    let model = try FetchedObjectsModel(due, in: store)
    for (now, next) in [(110.0, 111.0), (111, 112), (112, 114), (114, 118)] {
      clock.now = now
      await store.clockHasChanged()
      #expect(model.error as? StoreError == overflow)
      #expect(await becomesTrue { clock.begun.last == next })
    }
    try store.commit { try $0.delete(Chore.self, Int.max) }
    #expect(model.fetchedObjects.map(\.id) == [1])
  }

  @Test func `F11, F17: while the storage can't be read, looks of time report one error`()
    async throws
  {
    let storage = FlakyStorage()
    let store = try Store(
      .custom { storage }, entities: [ChoreList.self, Chore.self], time: clock.source)
    try store.commit { try $0.insert(ChoreList(1, opens: 110)) }
    let timed = try FetchedObjectsModel(
      Query<ChoreList>().filter { $0.opens <= Moment.now }, in: store)
    let plain = try FetchedObjectsModel(Query<Chore>(), in: store)
    let errors = Recorder(plain.errors)
    for _ in 1...2 {
      let before = errors.values.count
      storage.isFailing.store(2)
      for second in [110.0, 111, 113] {
        clock.now = second
        await store.clockHasChanged()
      }
      #expect(errors.values.count == before + 1)
      storage.isFailing.store(0)
      clock.now = 120
      await store.clockHasChanged()
      #expect(timed.fetchedObjects.map(\.id) == [1])
      clock.now = 100
      await store.clockHasChanged()
    }
    // A commit brings the list up to date, and the next boundary fails again.
    let before = errors.values.count
    for id in [2, 3] {
      storage.isFailing.store(2)
      clock.now = 110 + Double(id) * 100
      await store.clockHasChanged()
      storage.isFailing.store(0)
      try store.commit { try $0.insert(ChoreList(id, opens: 200 + Double(id) * 100)) }
    }
    #expect(errors.values.count == before + 2)
  }
}
