@_spi(Storage) import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@testable import SignalboxUI

private let byYear = Query<Car>().sorted { [$0.year.ascending] }

@MainActor @Suite struct FetchedStateTests {
  private let store: Store
  private let state = FetchedState<Car>()

  init() throws { store = try Self.filled() }

  private static func filled(_ years: [Int] = [2001, 2002, 2003]) throws -> Store {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for (index, year) in years.enumerated() {
        try draft.insert(Car(id: index + 1, model: "m\(year)", year: year, owner: nil))
      }
    }
    return store
  }

  private var years: [Int] { state.list.rows.map(\.year) }

  @Test func `F1: the first list is there at once, and follows commits`() throws {
    #expect(state.list.isEmpty && state.error == nil)
    state.show(byYear, in: store)
    #expect(years == [2001, 2002, 2003])
    let redraws = drawing { _ = state.list }
    try store.commit { try $0.insert(Car(id: 9, model: "new", year: 1999, owner: nil)) }
    #expect(redraws.value == 1 && years == [1999, 2001, 2002, 2003])
  }

  @Test func `F9: what a view doesn't read doesn't draw it again`() throws {
    state.show(byYear, in: store)
    let redraws = drawing { _ = state.error }
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(redraws.value == 0)
  }

  @Test func `F9: a view of a window's row count is drawn again by a change outside it`()
    async throws
  {
    state.show(byYear.limit(2), in: store)
    var redraws = drawing { _ = state.list.rowsAfter }
    try store.commit { try $0.insert(Car(id: 9, model: "new", year: 2020, owner: nil)) }
    #expect(redraws.value == 1 && state.list.rowsAfter == 2 && years == [2001, 2002])
    redraws = drawing { _ = state.list }
    try store.commit { try $0.update(Car.self, 9) { $0.year = 2021 } }
    #expect(redraws.value == 0, "nothing that the list has is different")
    // Commits that wait for the main actor come as one update.
    TestThread { [store] in
      for year in [5, 2001] {
        try? store.commit { try $0.update(Car.self, 1) { $0.year = year } }
      }
    }.join()
    await store.flush()
    #expect(redraws.value == 0, "the list is as it was")
  }

  @Test func `F6: it follows a query of the view's parameters`() throws {
    state.show(byYear.filter { $0.year > 2001 }, in: store)
    #expect(years == [2002, 2003])
    let redraws = drawing { _ = state.list }
    state.show(byYear.filter { $0.year > 2001 }, in: store)
    #expect(redraws.value == 0, "nothing is different")
    state.show(byYear.filter { $0.year > 2002 }, in: store)
    #expect(redraws.value == 1 && years == [2003])
    try store.commit { try $0.update(Car.self, 1) { $0.year = 2010 } }
    #expect(years == [2003, 2010])
  }

  @Test func `F12: while a view is drawn, nothing is delivered and nobody is notified`() throws {
    let other = FetchedState<Car>()
    other.show(byYear, in: store)
    state.show(byYear, in: store)
    let told = Log<Int>()
    let token = store.commits.subscribe(on: .mainActor) { told.note(Int($0.version)) }
    let redraws = drawing { _ = (other.list, state.list) }
    // It waits for the main actor.
    TestThread { [store] in try? store.commit { try $0.delete(Car.self, 2) } }.join()
    #expect(state.follow(byYear.filter { $0.year > 2001 }, in: store) { $0() })
    #expect(told.isEmpty && redraws.value == 0 && other.list.count == 3)
    #expect(years == [2003])
    state.notify()
    #expect(redraws.value == 1)
    token.cancel()
  }

  @Test func `F13: the list is that of the models during every callback`() throws {
    let model = try FetchedObjectsModel(byYear, in: store, delivery: .mainActor)
    let seen = Log<[Int]>()
    let token = model.didChange.subscribe(on: .mainActor) { [state] event in
      MainActor.assumeIsolated { seen.note([event.after.count, state.list.count]) }
    }
    state.show(byYear, in: store)
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(seen.entries == [[2, 2]])
    token.cancel()
  }

  @Test func `F6: another store's list takes the place of the first`() throws {
    state.show(byYear, in: store)
    let other = try Self.filled([1980])
    state.show(byYear, in: other)
    #expect(years == [1980])
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(years == [1980])
    try other.commit { try $0.update(Car.self, 1) { $0.year = 1981 } }
    #expect(years == [1981])
  }

  @Test func `S6: without a store the sums are those of no rows`() throws {
    func checkThatThereAreNone() throws {
      let list = state.list
      #expect(list.isEmpty && list.sections.isEmpty)
      #expect(try list.sum { $0.year } == 0)
      #expect(try list.average { $0.year } == nil)
      #expect(list.min { $0.year } == nil && list.max { $0.year } == nil)
      #expect(list.count(of: { $0.year }) == 0)
    }
    let query = byYear.aggregating { $0.year }
    try checkThatThereAreNone()
    state.show(query, in: nil)
    try checkThatThereAreNone()
    #expect(state.error is MissingStore)
    let storage = FlakyStorage()
    let unread = try Store(.custom { storage }, entities: [Person.self, Car.self])
    storage.isFailing.store(2)
    state.show(query, in: unread)
    try checkThatThereAreNone()
    #expect(state.error is FlakyStorage.ReadFailure)
    state.show(query, in: store)
    #expect(try state.list.sum { $0.year } == 6006)
  }

  @Test func `F12: changes run in the closure that animates them, and the first list doesn't`()
    throws
  {
    var animated: [[Int]] = []
    let show = {
      state.show(byYear, in: store) { change in
        let redraws = drawing { _ = state.list }
        change()
        animated.append([state.list.count, redraws.value])
      }
    }
    show()
    #expect(animated.isEmpty)
    try store.commit { try $0.delete(Car.self, 1) }
    show()
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(animated == [[2, 1], [1, 1]])
  }

  @Test func `F12: a commit of another thread is shown on the main actor`() async throws {
    state.show(byYear, in: store)
    TestThread { [store] in try? store.commit { try $0.delete(Car.self, 2) } }.join()
    #expect(years == [2001, 2002, 2003])
    await store.flush()
    #expect(years == [2001, 2003])
  }

  @Test func `F11: an error is shown, the list stays, and the next commit clears it`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let query = Query<Car>().sorted { [$0.owner.name.ascending, $0.id.ascending] }
    state.show(query, in: store)
    let count = state.list.count
    let redraws = drawing { _ = state.error }
    storage.isFailing.store(1)
    try store.commit { try $0.insert(Car(id: 50, model: "new", year: 1, owner: Ref(ann))) }
    #expect(redraws.value == 1 && state.error != nil && state.list.count == count)
    storage.isFailing.store(0)
    try store.commit { try $0.insert(Car(id: 51, model: "new", year: 1, owner: nil)) }
    #expect(state.error == nil && state.list.count == count + 2)
  }

  @Test func `F6: a query that can't be read leaves the list, and isn't tried at each drawing`()
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    state.show(byYear, in: store)
    let before = years
    storage.isFailing.store(2)
    let other = byYear.filter { $0.year < 0 }
    state.show(other, in: store)
    #expect(state.error != nil && years == before)
    storage.isFailing.store(0)
    state.show(other, in: store)
    #expect(state.error != nil)
    let redraws = drawing { _ = (state.list, state.error) }
    state.retry()
    #expect(redraws.value == 1 && state.error == nil && years.isEmpty)
    state.show(byYear, in: store)
    #expect(state.error == nil && years == before)
  }

  @Test func `F8: it is released with its view, and so is its model`() throws {
    weak var gone: FetchedState<Car>?
    do {
      let state = FetchedState<Car>()
      state.show(byYear, in: store)
      state.show(byYear.filter { $0.year > 0 }, in: store)
      gone = state
      #expect(store.liveResults.count == 1)
    }
    #expect(gone == nil && store.liveResults.isEmpty)
  }
}
