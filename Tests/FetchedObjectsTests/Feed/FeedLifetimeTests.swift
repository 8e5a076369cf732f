import Dispatch
import EntityStore
import Fixtures
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@testable import FetchedObjects

/// What a feed holds, and what holds it.
@Suite struct FeedLifetimeTests {
  @Test func `R3, F14: no lock is held while pages for clients are released`() throws {
    final class Sent: Sendable {
      let end: @Sendable () -> Void
      init(_ end: @escaping @Sendable () -> Void) { self.end = end }
      deinit { end() }
    }
    final class Ends: Sendable {
      let feed = Locked<FetchedObjectsFeed<Sent>?>(nil)
      let count = Locked(0)
      func end() {
        let feed = feed.withLock { $0 }
        _ = feed?.heldVersionCount
        _ = feed?.heldVersionLimit
        count.withLock { $0 += 1 }
      }
    }
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let ends = Ends()
    let feed = FetchedObjectsFeed(of: model, keeping: 2, row: FeedValues.init) { _ in
      Sent { ends.end() }
    }
    ends.feed.withLock { $0 = feed }
    #expect(
      finishes {
        do {
          for number in 0..<10 {
            try rename("Name \(number)", in: store)
            _ = try feed.page(after: nil)
          }
          feed.heldVersionLimit = 1
        } catch { Issue.record(error) }
      })
    #expect(ends.count.withLock { $0 } == 9)
    ends.feed.withLock { $0 = nil }
  }

  @Test func `F14: versions above the limit are freed at once, the others with the feed`()
    throws
  {
    struct Version { weak let snapshot: ResultSnapshot? }
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(byOwner, in: store)
    var feed: FetchedObjectsFeed? = carFeed(of: model, keeping: 4)
    var versions: [Version] = []
    for number in 0..<50 {
      try rename("Name \(number)", in: store)
      _ = try feed?.page(after: nil)
      versions.append(Version(snapshot: model.follower.shown.base))
    }
    #expect(versions.filter { $0.snapshot != nil }.count == 4)
    feed = nil
    #expect(versions.filter { $0.snapshot != nil }.count == 1)
  }

  @Test
  func `F14: a feed continues when its model is deallocated, and keeps nothing after its end`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    weak var model: FetchedObjectsModel<Car>?
    weak var follower: ResultFollower?
    do {
      let strong = try FetchedObjectsModel(byOwner, in: store)
      model = strong
      follower = strong.follower
      let feed = carFeed(of: strong)
      let cursor = strong.feed(after: nil).cursor
      #expect(strong.feed(after: cursor).kind == "unchanged")
      _ = try feed.page(after: nil)
    }
    #expect(model == nil && follower == nil)
    let feed = carFeed(of: try FetchedObjectsModel(byOwner, in: store))
    let cursor = try feed.page(after: nil).cursor
    try rename("Zoe", in: store)
    #expect(try feed.page(after: cursor).kind == "changes")
  }

  @Test func `F14: a feed continues when its model is deallocated during a pause`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    var model: FetchedObjectsModel<Car>? = try FetchedObjectsModel(byOwner, in: store)
    let feed = try carFeed(of: #require(model))
    let first = try feed.page(after: nil).cursor
    model?.pause()
    try rename("Zoe", in: store)
    #expect(try feed.page(after: first).kind == "unchanged")
    model = nil
    let second = try feed.page(after: first)
    #expect(second.kind == "changes")
    try rename("Ann", in: store)
    #expect(try feed.page(after: second.cursor).kind == "changes")
  }

  @Test func `F14: an event during which its model is deallocated isn't kept by a feed`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    // Its callback comes first.
    let first = try FetchedObjectsModel(byOwner, in: store)
    let rows = Locked<DerivedModel<EntityView<Car>>?>(nil)
    weak var model: FetchedObjectsModel<Car>?
    let feed: FetchedObjectsFeed<FeedPage<FedCar>>
    do {
      let strong = try FetchedObjectsModel(byOwner, in: store)
      model = strong
      feed = carFeed(of: strong)
      // The derived list holds the model.
      let derived = strong.filter { _ in true }
      rows.withLock { $0 = derived }
    }
    weak let before = first.follower.shown.base
    let token = first.didChange.subscribe { _ in _ = rows.withLock { $0.take() } }
    #expect(model != nil && before != nil)
    try rename("Zoe", in: store)
    #expect(model == nil && before == nil)
    #expect(try feed.page(after: nil).kind == "reset")
    withExtendedLifetime((first, token)) {}
  }

  @Test func `R6, F14: a model's signals end with it, though a feed continues`() async throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    var model: FetchedObjectsModel<Car>? = try FetchedObjectsModel(byOwner, in: store)
    let feed = carFeed(of: try #require(model))
    weak let willChange = model?.core.signals.willChange
    weak let steps = model?.core.signals.steps
    weak let didChange = model?.core.signals.didChange
    weak let errors = model?.core.signals.errors
    let events = try #require(model).didChange.values()
    model = nil
    #expect(willChange == nil && steps == nil && didChange == nil && errors == nil)
    if didChange == nil { for await event in events { Issue.record("\(event) is told") } }
    let cursor = try feed.page(after: nil).cursor
    try rename("Zoe", in: store)
    #expect(try feed.page(after: cursor).kind == "changes")
  }
}
