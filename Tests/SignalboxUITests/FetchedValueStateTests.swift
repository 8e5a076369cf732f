@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@testable import SignalboxUI

/// The number of cars since a year.
@Sendable private func count(since year: Int) -> FetchedValueState<Int>.Read {
  { try $0.count(Query<Car>().filter { $0.year >= year }) }
}

@MainActor @Suite struct FetchedValueStateTests {
  private let store: Store
  private let state = FetchedValueState<Int>()

  init() throws { store = try Self.filled(3) }

  private static func filled(_ count: Int) throws -> Store {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 1...count {
        try draft.insert(Car(id: id, model: "m\(id)", year: 2000 + id, owner: nil))
      }
    }
    return store
  }

  @Test func `F15: the value is there at once, and follows commits`() throws {
    #expect(state.value == nil && state.error == nil)
    state.show(for: 0, in: store, count(since: 2002))
    #expect(state.value == 2)
    let redraws = drawing { _ = state.value }
    try store.commit { try $0.delete(Car.self, 3) }
    #expect(redraws.value == 1 && state.value == 1)
  }

  @Test func `F15: a commit that leaves the value equal draws nothing`() throws {
    state.show(for: 0, in: store, count(since: 2002))
    let redraws = drawing { _ = (state.value, state.error) }
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(redraws.value == 0)
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(redraws.value == 1 && state.value == 1)
  }

  @Test func `F15: it follows its key and its store, and nothing else`() throws {
    state.show(for: 2002, in: store, count(since: 2002))
    var redraws = drawing { _ = (state.value, state.error) }
    state.show(for: 2002, in: store, count(since: 1))
    #expect(redraws.value == 0 && state.value == 2)
    state.show(for: 2003, in: store, count(since: 2003))
    #expect(redraws.value == 1 && state.value == 1)
    let other = try Self.filled(9)
    redraws = drawing { _ = state.value }
    state.show(for: 2003, in: other, count(since: 2003))
    #expect(redraws.value == 1 && state.value == 7)
    try store.commit { try $0.delete(Car.self, 3) }
    #expect(state.value == 7)
  }

  @Test func `S8: keys whose texts have other bytes are other keys`() throws {
    state.show(for: "\u{E9}", in: store, count(since: 2002))
    state.show(for: "e\u{301}", in: store, count(since: 2003))
    #expect(state.value == 1)
    let redraws = drawing { _ = (state.value, state.error) }
    state.show(for: "e\u{301}", in: store, count(since: 1))
    #expect(redraws.value == 0 && state.value == 1)
  }

  @Test func `F12: while a view is drawn, nothing is delivered and nobody is notified`() throws {
    let other = FetchedValueState<Int>()
    other.show(for: 0, in: store, count(since: 1))
    state.show(for: 0, in: store, count(since: 1))
    let told = Log<Int>()
    let token = store.commits.subscribe(on: .mainActor) { told.note(Int($0.version)) }
    let redraws = drawing { _ = (other.value, state.value) }
    // It waits for the main actor.
    TestThread { [store] in try? store.commit { try $0.delete(Car.self, 2) } }.join()
    #expect(state.follow(for: 1, in: store, count(since: 2)))
    #expect(told.isEmpty && redraws.value == 0 && other.value == 3 && state.value == 2)
    state.notify()
    #expect(redraws.value == 1)
    token.cancel()
  }

  @Test func `S6: without a store there is no value, and the error says why`() {
    state.show(for: 0, in: nil, count(since: 1))
    #expect(state.value == nil && state.error is MissingStore)
    state.show(for: 0, in: store, count(since: 1))
    #expect(state.value == 3 && state.error == nil)
    state.show(for: 0, in: nil, count(since: 1))
    #expect(state.value == nil && state.error is MissingStore)
  }

  @Test func `S6: what a closure throws is the error, the last value stays, and it can be retried`()
    throws
  {
    struct Refusal: Error {}
    state.show(for: 0, in: store, count(since: 1))
    let isAllowed = Log<Bool>()
    let redraws = drawing { _ = state.error }
    state.show(for: 1, in: store) { reader in
      if isAllowed.isEmpty { throw Refusal() }
      return try reader.count(Query<Car>()) * 10
    }
    #expect(redraws.value == 1 && state.value == 3 && state.error is Refusal)
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(state.value == 3, "the former closure isn't followed any more")
    state.retry()
    #expect(state.error is Refusal)
    isAllowed.note(true)
    state.retry()
    #expect(state.value == 20 && state.error == nil)
    state.retry()
    #expect(state.value == 20)
  }

  /// Shows the number of cars, which couldn't follow a commit.
  ///
  /// - Returns: the storage, the store, and the number before the commit.
  private func showStale() throws -> (FlakyStorage, Store, Int) {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    state.show(for: 0, in: store) { try $0.fetch(Query<Car>()).count }
    let before = try #require(state.value)
    storage.isFailing.store(3)
    try store.commit { try $0.insert(Car(id: 50, model: "new", year: 1, owner: nil)) }
    return (storage, store, before)
  }

  @Test func `F11: a value that couldn't follow a commit is read again by a try`() throws {
    let (storage, _, before) = try showStale()
    #expect(state.error != nil && state.value == before)
    storage.isFailing.store(0)
    state.retry()
    #expect(state.error == nil && state.value == before + 1)
  }

  @Test func `F11: a try that fails, too, doesn't end the observation`() throws {
    let (storage, store, before) = try showStale()
    storage.isFailing.store(2)
    state.retry()
    #expect(state.error != nil && state.value == before)
    storage.isFailing.store(0)
    try store.commit { try $0.insert(Car(id: 51, model: "new", year: 1, owner: nil)) }
    #expect(state.error == nil && state.value == before + 2)
  }
}
