import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import Foundation
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@testable import WebFeeds

/// Counts how often a row and a page are made.
private final class Counter: Sendable {
  let rows = AtomicWord(0)
  let pages = AtomicWord(0)
}

private func bytes(_ news: EventStream.News) -> [UInt8] {
  if case .bytes(let bytes) = news { bytes } else { [] }
}

@Suite struct EventStreamTests {
  private let store: Store
  private let cars: FetchedObjectsModel<Car>

  init() throws {
    store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      try draft.insert(ann)
      for id in 1...3 {
        try draft.insert(Car(id: id, model: "Volvo", year: 2000 + id, owner: Ref(1)))
      }
    }
    cars = try FetchedObjectsModel(Query<Car>().sorted { [$0.year.ascending] }, in: store)
  }

  private func change(_ id: Int, _ year: Int) throws {
    try store.commit { try $0.update(Car.self, id) { $0.year = year } }
  }

  @Test func `W3: what is sent is made once for a thousand clients at the same place`() throws {
    let counter = Counter()
    let feed = EventStreamFeed([
      EventStreamList("cars", of: cars) { car in
        counter.rows.add(1)
        return FeedValues(["id": .integer(Int64(car.id))])
      }
    ])
    let start = ContinuousClock.now
    let streams = (0..<1000).map { _ in feed.stream(after: nil) { start } }
    #expect(Set(try streams.map { try bytes($0.next()) }).count == 1)
    #expect(counter.rows.load() == 3)
    try change(2, 1990)
    #expect(Set(try streams.map { try bytes($0.next()) }).count == 1)
    #expect(counter.rows.load() == 4, "one row has changed")
    for stream in streams { #expect(try stream.next() == .nothing) }
  }

  @Test func `W3: a slow client gets the net change, and no queue grows`() throws {
    let feed = EventStreamFeed([EventStreamList("cars", of: cars)])
    let (slow, quick) = (feed.stream(after: nil), feed.stream(after: nil))
    var reader = EventReader()
    reader.read(bytes(try slow.next()))
    _ = try quick.next()
    for year in 0..<50 {
      try change(1, 1900 + year)
      _ = try quick.next()
    }
    reader.read(bytes(try slow.next()))
    let events = reader.takeEvents()
    #expect(events.count == 2)
    #expect(events.last?.data.contains("1949") == true)
    #expect(events.last?.data.contains("1948") == false, "what is between isn't sent")
    // A client that is slower than all versions that are held gets the list.
    for year in 0..<200 {
      try change(1, 1900 + year)
      _ = try quick.next()
    }
    #expect(feed.heldVersionCount == 100)
    reader.read(bytes(try slow.next()))
    #expect(reader.takeEvents().last?.data.contains("reset") == true)
  }

  @Test func `W2: the first bytes come at once, and each event has an id`() throws {
    let feed = EventStreamFeed([EventStreamList("cars", of: cars)])
    let stream = feed.stream(after: nil)
    var reader = EventReader()
    reader.read(bytes(try stream.next()))
    #expect(reader.retry == 1000)
    #expect(reader.events.map(\.name) == ["cars", "alive"])
    // A client that lacks nothing is answered as well, or the browser wouldn't see the connection.
    let again = feed.stream(after: reader.lastID)
    #expect(bytes(try again.next()) == Array("retry: 1000\n\nevent: alive\ndata: 0\n\n".utf8))
    #expect(try again.next() == .nothing)
    var signs = EventReader()
    signs.read(again.keepAlive)
    #expect(signs.events == [EventReader.Event(name: "alive", data: "0", id: "")])
    #expect(again.headers.contains(WebAnswer.Header("content-type", "text/event-stream")))
  }

  @Test func `W2: if a page can't be encoded, the client stays where it was`() throws {
    struct Unwritable: Error {}
    let fails = Locked(false)
    let feed = EventStreamFeed([
      EventStreamList("plain", of: cars),
      EventStreamList("cars", of: cars, row: { $0.year }) { page in
        if fails.withLock({ $0 }) { throw Unwritable() }
        return "\(page.cursor)".utf8
      },
    ])
    let stream = feed.stream(after: nil)
    _ = try stream.next()
    try change(1, 1990)
    fails.withLock { $0 = true }
    #expect(throws: Unwritable.self) { try stream.next() }
    fails.withLock { $0 = false }
    var reader = EventReader()
    reader.read(bytes(try stream.next()))
    #expect(reader.takeEvents().map(\.name) == ["plain", "cars"])
  }

  @Test func `W2: a stream that is asked while it is asked traps`() async {
    await #expect(processExitsWith: .failure) {
      let held = Locked<EventStream?>(nil)
      let feed = EventStreamFeed([
        EventStreamList("count", after: Relay<Void>()) {
          if let stream = held.withLock({ $0.take() }) { _ = try stream.next() }
          return FeedValues([:])
        }
      ])
      let stream = feed.stream(after: nil)
      _ = try stream.next()
      held.withLock { $0 = stream }
      _ = try stream.next()
    }
  }

  @Test func `W2: pieces come when something is new, and signs of life when nothing is`()
    async throws
  {
    let feed = EventStreamFeed([EventStreamList("cars", of: cars)])
    var pieces = feed.stream(after: nil).chunks(keepAlive: .milliseconds(20)).makeAsyncIterator()
    #expect(try await pieces.next()?.isEmpty == false)
    #expect(try await pieces.next() == Array("event: alive\ndata: 0\n\n".utf8))
    try change(1, 1990)
    #expect(String(decoding: try await pieces.next() ?? [], as: UTF8.self).contains("1990"))
  }

  @Test(.timeLimit(.minutes(20)))
  func `W2: news that leads to nothing puts off no sign of life`() async throws {
    let feed = EventStreamFeed([
      EventStreamList("total", after: cars) { FeedValues(["rows": $0.totalCount.storedValue]) }
    ])
    var pieces = feed.stream(after: nil).chunks(keepAlive: .milliseconds(60)).makeAsyncIterator()
    #expect(try await pieces.next()?.isEmpty == false)
    let commits = Task { [store] in
      for year in 1900... {
        try await Task.sleep(for: .milliseconds(10))
        try store.commit { try $0.update(Car.self, 1) { $0.year = year } }
      }
    }
    defer { commits.cancel() }
    #expect(try await pieces.next() == Array("event: alive\ndata: 0\n\n".utf8))
  }

  @Test func `W2: signs of life come among events that keep coming`() throws {
    let feed = EventStreamFeed([
      EventStreamList("cars", of: cars),
      EventStreamList("total", after: cars) { FeedValues(["rows": $0.totalCount.storedValue]) },
    ])
    let time = Locked(ContinuousClock.now)
    let stream = feed.stream(after: nil) { time.withLock { $0 } }
    func names() throws -> [String] {
      var reader = EventReader()
      reader.read(bytes(try stream.next()))
      return reader.events.map(\.name)
    }
    #expect(try names() == ["cars", "total", "alive"])
    // A page that follows the total alone would hear nothing for all this time.
    for second in 1...60 {
      time.withLock { $0 += .seconds(1) }
      try change(1, 1900 + second)
      let isDue = second % 5 == 0
      #expect(try names() == (isDue ? ["alive", "cars"] : ["cars"]), "second \(second)")
    }
  }

  @Test func `W2: a wait ends with news, and with its task`() async throws {
    let feed = EventStreamFeed([EventStreamList("cars", of: cars)])
    let stream = feed.stream(after: nil)
    _ = try stream.next()
    let waiting = Task { () -> Int in
      var count = 0
      // That is never.
      for try await _ in stream.chunks(keepAlive: .seconds(Int64.max)) { count += 1 }
      return count
    }
    while cars.subscriptionCount == 0 { await Task.yield() }
    try change(1, 1990)
    try change(1, 1991)
    waiting.cancel()
    #expect(try await waiting.value <= 2)
    while cars.subscriptionCount != 0 { await Task.yield() }
  }

  @Test func `W3: a feed keeps its models, and ends with its last stream`() throws {
    weak var model: FetchedObjectsModel<Car>?
    weak var feed: EventStreamFeed?
    var stream: EventStream?
    do {
      let cars = try FetchedObjectsModel(Query<Car>(), in: store)
      let made = EventStreamFeed([EventStreamList("cars", of: cars)])
      (model, feed) = (cars, made)
      stream = made.stream(after: nil)
    }
    #expect(model != nil)
    #expect(feed == nil)
    _ = try stream?.next()
    try change(1, 1990)
    #expect(bytes(try stream?.next() ?? .end).isEmpty == false)
    stream = nil
    #expect(model == nil)
  }

  @Test func `W2: a list of one row is sent when the row differs`() throws {
    let feed = EventStreamFeed([
      EventStreamList("count", after: cars.didChange, identity: 7) { [cars] in
        FeedValues(["rows": .integer(Int64(cars.snapshot.totalCount))])
      }
    ])
    let stream = feed.stream(after: nil)
    var reader = EventReader()
    var list = JSONClient()
    reader.read(bytes(try stream.next()))
    for event in reader.takeEvents() { _ = try list.apply(Data(event.data.utf8)) }
    #expect(list.sections[0].rows[0].content == "rows: 3")
    try change(1, 1990)
    #expect(try stream.next() == .nothing)
    try store.commit { try $0.delete(Car.self, 1) }
    reader.read(bytes(try stream.next()))
    for event in reader.takeEvents() { _ = try list.apply(Data(event.data.utf8)) }
    #expect(list.sections[0].rows[0].content == "rows: 2")
    let again = feed.stream(after: reader.lastID)
    _ = try again.next()
    #expect(try again.next() == .nothing)
  }

  @Test func `W2: a list that counts all rows wakes those that wait for rows outside the window`()
    throws
  {
    let page = try FetchedObjectsModel(Query<Car>().limit(1), in: store)
    let feed = EventStreamFeed([
      EventStreamList("total", after: page) { FeedValues(["rows": $0.totalCount.storedValue]) }
    ])
    let news = Recorder(feed.didChange)
    let events = Recorder(page.didChange)
    let stream = feed.stream(after: nil)
    _ = try stream.next()
    try store.commit { try $0.delete(Car.self, 3) }
    #expect(events.values.isEmpty)
    #expect(news.values.count == 1)
    #expect(String(decoding: bytes(try stream.next()), as: UTF8.self).contains("\"rows\":2"))
  }

  @Test func `W3: the module for pages is short and imports nothing`() {
    let text = String(decoding: EventStreamFeed.clientModule, as: UTF8.self)
    #expect(text.contains("export function follow("))
    #expect(!text.contains("import "))
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 110)
  }
}
