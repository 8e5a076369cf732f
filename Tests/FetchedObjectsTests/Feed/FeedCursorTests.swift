import EntityStore
import Fixtures
import ListFixtures
import Locking
import TestSupport
import Testing

@testable import FetchedObjects

/// Which cursors a feed knows, and what it makes for those at the same place.
@Suite struct FeedCursorTests {
  @Test func `F14: a cursor that isn't known gets a reset, whatever it is`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let feed = carFeed(of: model)
    let cursor = try feed.page(after: nil).cursor
    #expect(try feed.page(after: cursor).kind == "unchanged")
    let (identity, version, sum) = (cursor.feed, cursor.version, cursor.sum)
    let others = [
      FeedCursor(feed: identity + 1, version: version, sum: sum),
      FeedCursor(feed: identity, version: version + 1, sum: sum),
      FeedCursor(feed: identity, version: .max, sum: sum),
      FeedCursor(feed: identity, version: version, sum: sum ^ 1),
    ]
    for other in others { #expect(try feed.page(after: other).kind == "reset", "\(other)") }
    try rename("Zoe", in: store)
    for other in others { #expect(try feed.page(after: other).kind == "reset", "\(other)") }
    #expect(try feed.page(after: cursor).kind == "changes")
    // Another life of the process: the same versions, another feed.
    let next = FetchedObjectsFeed(of: model) { FedCar(model: $0.model) }
    #expect(try next.page(after: cursor).kind == "reset")
    #expect(model.feed(after: cursor).kind == "reset")
  }

  @Test func `F14: with a given identity, an up-to-date client continues with a new feed`()
    throws
  {
    let store = try TestStorage.file.makeGarage()
    try store.fillGarage()
    let first = carFeed(of: try FetchedObjectsModel(byOwner, in: store), identity: 7)
    let old = try first.page(after: nil).cursor
    try rename("Zoe", in: store)
    let new = try first.page(after: old).cursor
    let second = carFeed(of: try FetchedObjectsModel(byOwner, in: store), identity: 7)
    #expect(try second.page(after: old).kind == "reset")
    #expect(try second.page(after: new).kind == "unchanged")
    // Also if it is the first to ask, as are all others that have the same.
    let third = carFeed(of: try FetchedObjectsModel(byOwner, in: store), identity: 7)
    #expect(try third.page(after: new).kind == "unchanged")
    #expect(try third.page(after: new).kind == "unchanged")
    #expect(try third.page(after: nil).kind == "reset")
    #expect(try third.page(after: new).kind == "unchanged")
    #expect(third.heldVersionCount == 1)
    try rename("Eve", in: store)
    #expect(try third.page(after: new).kind == "changes")
  }

  @Test func `F14: an up-to-date client continues with a new feed, also after commits of others`()
    throws
  {
    let store = try TestStorage.file.makeGarage()
    try store.fillGarage()
    func begin() throws -> FetchedObjectsFeed<FeedPage<FedCar>> {
      carFeed(of: try FetchedObjectsModel(byOwner, in: store), identity: 7)
    }
    // Where it goes its list goes, too, as with the process.
    let cursor = try begin().page(after: nil).cursor
    try store.commit { try $0.insert(Person(id: 77, name: "Nobody's owner")) }
    let second = try begin()
    let news = try second.page(after: cursor)
    #expect(news.kind == "unchanged")
    #expect(news.cursor.version > cursor.version)
    #expect(try second.page(after: nil).kind == "reset")
    #expect(try second.page(after: cursor).kind == "unchanged")
    // What it says of itself is of a version that isn't there yet, or of another list.
    for other in [
      FeedCursor(feed: 7, version: news.cursor.version + 1, sum: cursor.sum),
      FeedCursor(feed: 7, version: cursor.version, sum: cursor.sum ^ 1),
      FeedCursor(feed: 8, version: cursor.version, sum: cursor.sum),
    ] { #expect(try second.page(after: other).kind == "reset", "\(other)") }
    try rename("Zoe", in: store)
    #expect(try second.page(after: cursor).kind == "reset")
    #expect(try second.page(after: news.cursor).kind == "changes")
  }

  @Test func `F14: a page is made once for all clients that are at the same place`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let made = Locked(0)
    let shown = Locked(0)
    let feed = FetchedObjectsFeed(of: model) { car in
      shown.withLock { $0 += 1 }
      return FedCar(model: car.model, owner: car.owner?.name)
    } page: { page -> FeedPage<FedCar> in
      made.withLock { $0 += 1 }
      return page
    }
    var cursors: [FeedCursor] = []
    for _ in 0..<100 { cursors.append(try feed.page(after: nil).cursor) }
    #expect(made.withLock { $0 } == 1)
    #expect(shown.withLock { $0 } == 3)
    for cursor in cursors { #expect(try feed.page(after: cursor).kind == "unchanged") }
    #expect(made.withLock { $0 } == 2)
    for number in 1...50 {
      let unknown = FeedCursor(feed: UInt64(number), version: 1, sum: 1)
      #expect(try feed.page(after: unknown).kind == "reset")
    }
    #expect(made.withLock { $0 } == 2, "all whose place isn't known get the same page")
    try store.commit { draft in try draft.update(Car.self, 1) { $0.year = 1995 } }
    for cursor in cursors { #expect(try feed.page(after: cursor).kind == "changes") }
    #expect(made.withLock { $0 } == 3)
    #expect(shown.withLock { $0 } == 4, "one row has changed, and one is made")
  }

  @Test func `F14: an error of the page's closure is thrown, and the next client gets a page`()
    throws
  {
    struct Refusal: Error {}
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let refuses = Locked(true)
    let feed = FetchedObjectsFeed(of: model, row: FeedValues.init) { page -> String in
      if refuses.withLock({ $0 }) { throw Refusal() }
      return page.kind
    }
    #expect(throws: Refusal.self) { try feed.page(after: nil) }
    #expect(feed.heldVersionCount == 0)
    refuses.withLock { $0 = false }
    #expect(try feed.page(after: nil) == "reset")
  }

  @Test func `F12, F14: at the limit the oldest cursor is dropped, and what a user holds stays`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let feed = carFeed(of: model, keeping: 3)
    let mine = model.snapshot
    let before = plain(mine, includesOwner: true)
    var cursors: [FeedCursor] = []
    for number in 0..<5 {
      try rename("Name \(number)", in: store)
      cursors.append(try feed.page(after: nil).cursor)
      #expect(feed.heldVersionCount == min(number + 1, 3))
    }
    #expect(
      try cursors.map { try feed.page(after: $0).kind }
        == ["reset", "reset", "changes", "changes", "unchanged"])
    feed.heldVersionLimit = 2
    #expect(feed.heldVersionCount == 2)
    #expect(
      try cursors.map { try feed.page(after: $0).kind }
        == ["reset", "reset", "reset", "changes", "unchanged"])
    #expect(plain(mine, includesOwner: true) == before)
  }

  @Test func `F14: a version is read only in the form in which a cursor writes it`() {
    let (feed, sum) = ("03a1b2c3d4e5f607", "8f0e1d2c3b4a5968")
    for version in ["0", "42", "-3", "\(Int64.max)", "\(Int64.min)"] {
      let text = "\(feed)-\(version)-\(sum)"
      // The sign of a version below 0 is a hyphen, which parts the text.
      expectEqual(FeedCursor(text)?.description, version.hasPrefix("-") ? nil : text)
    }
    for version in ["+42", "0042", "00", "+0", "", " 42", "4_2", "99999999999999999999"] {
      expectEqual(FeedCursor("\(feed)-\(version)-\(sum)"), nil, version)
    }
  }

  @Test func `A feed that may hold nothing is a precondition`() async {
    await #expect(processExitsWith: .failure) {
      let store = try TestStorage.memory.makeGarage()
      _ = carFeed(of: try FetchedObjectsModel(Query<Car>(), in: store), keeping: 0)
    }
    await #expect(processExitsWith: .failure) {
      let store = try TestStorage.memory.makeGarage()
      carFeed(of: try FetchedObjectsModel(Query<Car>(), in: store)).heldVersionLimit = 0
    }
  }
}
