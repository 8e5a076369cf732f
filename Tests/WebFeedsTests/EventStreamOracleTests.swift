import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import ListFixtures
import SQLitePersistence
import TestSupport
import Testing
import WebFeeds

/// A page in a browser that follows two lists of one stream.
private struct Page {
  var lists = ["cars": JSONClient(), "people": JSONClient()]
  var reader = EventReader()
  var stream: EventStream?

  /// Takes what the stream has, and returns the number of its events.
  mutating func take() throws -> Int {
    guard case .bytes(let bytes)? = try stream?.next() else { return 0 }
    reader.read(bytes)
    let events = reader.takeEvents()
    for event in events { _ = try lists[event.name]?.apply(Data(event.data.utf8)) }
    return events.count
  }
}

private struct StreamWorld {
  let path: String?
  let trace: String
  let tally: Tally
  let identity: UInt64?
  let limit: Int
  var writer: RandomWriter
  var store: Store
  var cars: FetchedObjectsModel<Car>
  var people: FetchedObjectsModel<Person>
  var feed: EventStreamFeed
  var pages = (0..<4).map { _ in Page() }

  static let people = Query<Person>().sorted { [$0.name.ascending] }

  init(seed: Int, _ tally: Tally) throws {
    self.tally = tally
    trace = "seed \(seed)"
    path = seed % 6 == 5 ? temporaryPath("events") : nil
    identity = seed % 4 < 2 ? nil : UInt64(seed)
    writer = RandomWriter(random: SeededGenerator(seed: seed))
    limit = Int.random(in: 1...6, using: &writer.random)
    store = try Self.open(path)
    cars = try FetchedObjectsModel(OracleQuery.all[seed % OracleQuery.all.count].query, in: store)
    people = try FetchedObjectsModel(Self.people, in: store)
    feed = Self.feed(cars, people, limit, identity)
  }

  static func open(_ path: String?) throws -> Store {
    try Store(
      path.map { .sqlite(path: $0, durability: .normal) } ?? .inMemory,
      entities: [Person.self, Car.self])
  }

  static func feed(
    _ cars: FetchedObjectsModel<Car>, _ people: FetchedObjectsModel<Person>, _ limit: Int,
    _ identity: UInt64?
  ) -> EventStreamFeed {
    let identity = identity ?? .random(in: .min ... .max)
    return EventStreamFeed([
      EventStreamList("cars", of: cars, keeping: limit, identity: identity),
      // One of them is encoded by the app, on several lines.
      EventStreamList(
        "people", of: people, keeping: limit, identity: identity, row: FeedValues.init
      ) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        return try encoder.encode($0)
      },
    ])
  }

  mutating func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &writer.random) }

  mutating func step(_ number: Int) throws {
    switch random(0..<20) {
    case 0: try cars.setWindow(offset: random(0..<3), limit: random(0..<5))
    case 1: try cars.setQuery(OracleQuery.all[random(0..<OracleQuery.all.count)].query)
    case 2:
      tally.count(path == nil ? "new feeds" : "reopened files")
      if path != nil { store = try Self.open(path) }
      cars = try FetchedObjectsModel(cars.query, in: store)
      people = try FetchedObjectsModel(Self.people, in: store)
      feed = Self.feed(cars, people, limit, identity)
      for index in pages.indices { pages[index].stream = nil }
    case 3: tally.count("idle steps")
    default: try writer.commit(store)
    }
    for index in pages.indices where random(0..<3) == 0 {
      var page = pages[index]
      try live(&page, "\(trace), step \(number), page \(index)")
      pages[index] = page
    }
  }

  mutating func live(_ page: inout Page, _ trace: String) throws {
    switch random(0..<8) {
    case 0:
      tally.count("reloads")
      page = Page()
    case 1:
      // What was sent is lost, and the browser connects again with the id that it has.
      tally.count("lost bytes")
      _ = try page.stream?.next()
      page.stream = nil
      return
    case 2:
      tally.count("cut bytes")
      if case .bytes(let bytes)? = try page.stream?.next() {
        page.reader.read(Array(bytes.prefix(random(0..<bytes.count))))
        for event in page.reader.takeEvents() {
          _ = try page.lists[event.name]?.apply(Data(event.data.utf8))
        }
      }
      page.stream = nil
    case 3:
      // Whatever it says, it gets lists.
      tally.count("wrong ids")
      let wrong = ["", ",", "x", "-1,-1", String(repeating: "9", count: 500), "0-0-0,\u{0}"]
      var stranger = Page()
      stranger.stream = feed.stream(after: wrong[random(0..<wrong.count)])
      #expect(try stranger.take() == 2, "\(trace)")
      try check(stranger, trace)
    default: break
    }
    if page.stream == nil {
      let lastID = page.reader.lastID
      page.reader = EventReader()
      tally.count(lastID.isEmpty ? "first connections" : "connections")
      page.stream = feed.stream(after: lastID.isEmpty ? nil : lastID)
      // What the browser keeps across connections.
      page.reader.read(Array("id: \(lastID)\n\n".utf8))
    }
    let count = try page.take()
    tally.count(count == 0 ? "quiet streams" : "events", max(1, count))
    // A page that was away for long gets one event for each list.
    #expect(count <= 2, "\(trace)")
    #expect(try page.stream?.next() == .nothing, "\(trace)")
    try check(page, trace)
  }

  private func check(_ page: Page, _ trace: String) throws {
    var shown: [JSONClient] = []
    for model in [
      try JSONEncoder().encode(cars.feed(after: nil)),
      try JSONEncoder().encode(people.feed(after: nil)),
    ] {
      var client = JSONClient()
      _ = try client.apply(model)
      shown.append(client)
    }
    #expect(page.lists["cars"]?.sections == shown[0].sections, "\(trace)")
    #expect(page.lists["people"]?.sections == shown[1].sections, "\(trace)")
  }
}

@Suite(.oneThread) struct EventStreamOracleTests {
  @Test func `W2: a page that is cut off and resumes has the lists that the models show`() throws {
    let tally = Tally([
      "new feeds", "reopened files", "idle steps", "reloads", "lost bytes", "cut bytes",
      "wrong ids", "first connections", "connections", "quiet streams", "events",
    ])
    for seed in seeds(240) {
      var world = try StreamWorld(seed: seed, tally)
      for step in 0..<40 { try world.step(step) }
    }
    print("Event streams: \(tally.description)")
    tally.expectAll()
  }
}
