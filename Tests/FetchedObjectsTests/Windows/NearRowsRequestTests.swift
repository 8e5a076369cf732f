@_spi(Storage) import EntityStore
@_spi(Inspection) @testable import FetchedObjects
import Fixtures
import Locking
import Relays
import TestSupport
import Testing

private let byYear = TiedRows.byYear

@Suite struct `Requests for near rows` {
  @Test func `F7: a row that goes beside the request is followed by the next one`() throws {
    let store = try TestStorage.memory.makeGarage()
    NearRowsLimits.of(store).most.store(0)
    try store.fillTiedRows()
    let follower = try ResultFollower(
      byYear.description, in: store, delivery: .immediate, policy: nil, FollowerReceiver())
    var calls = 0
    try follower.setQuery(
      byYear.description, around: WindowAnchor(id: .integer(500), before: 2, after: 2),
      unless: {
        calls += 1
        if calls == 2 { try? store.commit { try $0.delete(Car.self, 500) } }
        return false
      }, noting: {})
    let shown = follower.shown
    #expect(
      (0..<shown.count).map { shown.row($0).id }
        == [498, 499, 501, 502, 503].map { .integer($0) })
  }

  @Test func `F7: a window at the end keeps only the last rows`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillTiedRows()
    let model = try FetchedObjectsModel(byYear.last(20), in: store)
    #expect(store.liveResults.map(\.kind) == [.nearRows])
    #expect(model.keptRows == 64 + 64)
    #expect(model.fetchedObjects.map(\.id) == Array(1580..<1600))
  }

  @Test func `F11: a request whose result fails meanwhile leaves the model with its own`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: TiedRows.entities)
    try store.fillTiedRows()
    let small = try FetchedObjectsModel(byYear.limit(10), in: store)
    let follower = try ResultFollower(
      byYear.limit(100).description, in: store, delivery: .immediate, policy: nil,
      FollowerReceiver())
    var calls = 0
    try follower.setQuery(
      byYear.limit(10).description,
      unless: {
        calls += 1
        // The result of the small window has been found, and isn't joined yet.
        if calls == 2 {
          storage.isFailing.store(3)
          try? store.commit { draft in for id in 0..<65 { try draft.delete(Car.self, id) } }
          storage.isFailing.store(0)
        }
        return false
      }, noting: {})
    #expect(follower.shown.row(.integer(70)) != nil)
    try store.commit { try $0.delete(Car.self, 70) }
    #expect(follower.shown.row(.integer(70)) == nil)
    withExtendedLifetime(small) {}
  }
}
