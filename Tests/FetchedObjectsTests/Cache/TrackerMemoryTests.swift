import EntityStore
import Fixtures
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

@testable import FetchedObjects

private let withOwners = Query<Car>().sorted { [$0.model.ascending] }.including { $0.owner.name }

/// F12: what a list that is kept from commits holds of those that aren't shown.
@Suite struct TrackerMemoryTests {
  private let storage = FlakyStorage()
  private let store: Store

  init() throws {
    let storage = storage
    store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
  }

  private func makeFollower(
    _ delivery: Delivery, _ errors: Counter = Counter()
  ) throws -> CommitFollower {
    let follower = CommitFollower(
      CommittedPlan(withOwners.description, keepsObjects: true), delivery: delivery,
      shown: { _, _ in }, tell: {}, error: { _ in errors.add() })
    try follower.start(in: store)
    return follower
  }

  /// Commits that can be read, and then others of which each second one can't: the next one reads anew.
  private func commit(_ count: Int, unread: Int) throws {
    for year in 0..<count {
      try store.commit { try $0.update(Car.self, 1) { $0.year = year } }
    }
    storage.isFailing.store(1)
    defer { storage.isFailing.store(0) }
    for year in 0..<unread {
      try store.commit { try $0.update(Car.self, 1) { $0.year = -1 - year } }
    }
  }

  @Test func `F12: nothing waits for an actor that has gone`() throws {
    actor Place {}
    var place: Place? = Place()
    let follower = try makeFollower(try #require(place.map { Delivery.on($0) }))
    let first = follower.shown
    place = nil
    try commit(20, unread: 20)
    #expect(follower.waitingCount == 0)
    #expect(follower.errorCount == 0)
    #expect(follower.shown === first)
  }

  @Test func `F12: what waits for a busy place is merged beyond the limit, and told when it can`()
    throws
  {
    let busy = try FetchedObjectsModel(Query<Person>(), in: store)
    let (errors, callbacks) = (Counter(), Counter())
    let follower = try makeFollower(.immediate, errors)
    let first = follower.shown
    let token = busy.didChange.subscribe { _ in
      callbacks.add()
      do { try commit(10_050, unread: 60) } catch { Issue.record(error) }
      #expect(follower.waitingCount > 9_000 && follower.waitingCount <= 10_002)
      #expect(follower.errorCount == 16)
      #expect(follower.shown === first)
    }
    try store.commit { try $0.update(Person.self, 2) { $0.age = 40 } }
    #expect(callbacks.value == 1)
    #expect(follower.waitingCount == 0)
    #expect(errors.value == 16)
    #expect(try follower.shown.version == store.version)
    withExtendedLifetime(token) {}
  }
}
