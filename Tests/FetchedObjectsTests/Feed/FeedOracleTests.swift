import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import ListDiffing
import ListFixtures
import Locking
import Relays
import SQLitePersistence
import TestSupport
import Testing

/// A server with a model, which can be killed and started again, and clients that come and go.
private struct FeedWorld {
  let path: String?
  let trace: String
  let tally: Tally
  var writer: RandomWriter
  var store: Store
  var oracle: OracleQuery
  var model: FetchedObjectsModel<Car>
  var feed: FetchedObjectsFeed<Data>
  var limit: Int
  /// What each of its feeds is called; nil is something else each time.
  let identity: UInt64?
  /// It asks after every step.
  var steady = JSONClient()
  /// It asks as the steady one does, and applies pages with the library.
  var list = FeedList<FeedValues>()
  var clients: [JSONClient] = (0..<5).map { JSONClient(name: "client \($0)") }
  /// The cursors that it has had.
  var given: Set<String?> = []
  /// Pages that were given and are still on their way.
  var late: [Data] = []

  init(_ storage: TestStorage, seed: Int, _ tally: Tally) throws {
    self.tally = tally
    trace = "seed \(seed), \(storage)"
    writer = RandomWriter(random: SeededGenerator(seed: seed))
    path = storage == .file ? temporaryPath("feed") : nil
    store = try Self.open(path)
    for _ in 0..<3 { try writer.commit(store) }
    oracle = OracleQuery.all[Int.random(in: 0..<OracleQuery.all.count, using: &writer.random)]
    limit = Int.random(in: 1...6, using: &writer.random)
    model = try FetchedObjectsModel(oracle.query, in: store)
    identity = seed % 4 < 2 ? nil : UInt64(seed)
    feed = Self.feed(of: model, limit, identity, tally)
  }

  static func open(_ path: String?) throws -> Store {
    try Store(
      path.map { .sqlite(path: $0, durability: .normal) } ?? .inMemory,
      entities: [Person.self, Car.self])
  }

  static func feed(
    of model: FetchedObjectsModel<Car>, _ limit: Int, _ identity: UInt64?, _ tally: Tally
  ) -> FetchedObjectsFeed<Data> {
    FetchedObjectsFeed(
      of: model, keeping: limit, identity: identity ?? .random(in: .min ... .max),
      row: FeedValues.init
    ) { page in
      tally.count("encodings")
      if case .changes(let changes) = page.news { tally.count(changes.list) }
      return try JSONEncoder().encode(page)
    }
  }

  mutating func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &writer.random) }

  mutating func step(_ number: Int) throws {
    switch random(0..<24) {
    case 0:
      tally.count("new windows")
      try model.setWindow(offset: random(0..<3), limit: random(0..<5))
    case 1: try model.setWindow(offset: 0, limit: nil)
    case 2:
      tally.count("new queries")
      oracle = OracleQuery.all[random(0..<OracleQuery.all.count)]
      try model.setQuery(oracle.query)
    case 3: try startAgain()
    case 4:
      limit = random(1..<7)
      feed.heldVersionLimit = limit
    case 5, 6: tally.count("idle steps")
    default: try writer.commit(store)
    }
    if oracle.isSectioned { tally.count("sections through a reference") }
    try askSteadily("\(trace), step \(number)")
    for index in clients.indices where random(0..<3) == 0 {
      var client = clients[index]
      try live(&client, "\(trace), step \(number), client \(index)")
      clients[index] = client
    }
    #expect(feed.heldVersionCount <= limit, "\(trace): more versions are held than may be")
  }

  /// The server ends and another begins, on the file or with the same store.
  private mutating func startAgain() throws {
    tally.count(path == nil ? "new feeds" : "reopened files")
    if path != nil { store = try Self.open(path) }
    model = try FetchedObjectsModel(oracle.query, in: store)
    feed = Self.feed(of: model, limit, identity, tally)
  }

  private func page(_ cursor: String?) throws -> Data {
    tally.count("pages")
    return try feed.page(after: cursor.flatMap { FeedCursor($0) })
  }

  /// The two that never leave have what the model shows.
  private mutating func askSteadily(_ trace: String) throws {
    let text = try page(steady.cursor)
    tally.count(try steady.apply(text))
    given.insert(steady.cursor)
    try list.apply(JSONDecoder().decode(FeedPage<FeedValues>.self, from: text))
    let shown = model.sections.map { section in
      JSONClient.Section(
        title: section.name, hash: 0,
        rows: section.map { car in
          var values = [
            "id: \(car.value.id)", "model: \(car.value.model)",
            "owner: \(car.value.owner.map { "\($0.id)" } ?? "<null>")",
          ]
          if oracle.includesOwner { values.append("owner.name: \(car.owner?.name ?? "<null>")") }
          values.append("year: \(car.value.year)")
          return JSONClient.Row(hash: 0, content: values.joined(separator: ", "))
        })
    }
    #expect(Self.withoutHashes(steady.sections) == shown, "\(trace): what never left")
    #expect(list.sections.map(\.header.title) == shown.map(\.title), "\(trace): the library's")
    #expect(
      try list.sections.map { try $0.rows.map { try $0.content.value(as: Car.self).id } }
        == model.sections.map { $0.map(\.value.id) }, "\(trace): the library's")
    #expect(list.cursor?.description == steady.cursor, "\(trace): cursors")
  }

  private static func withoutHashes(_ sections: [JSONClient.Section]) -> [JSONClient.Section] {
    sections.map { section in
      JSONClient.Section(
        title: section.title, hash: 0,
        rows: section.rows.map { JSONClient.Row(hash: 0, content: $0.content) })
    }
  }

  /// A client does something, and if it then has a page, it has what the steady one has.
  private mutating func live(_ client: inout JSONClient, _ trace: String) throws {
    switch random(0..<8) {
    case 0:
      // Killed before the page has come.
      tally.count("lost pages")
      late.append(try page(client.cursor))
      return
    case 1:
      // What comes late, or was for somebody else, doesn't make a wrong list of it.
      guard let text = late.popLast() else { return }
      do {
        _ = try client.apply(text)
        tally.count("late pages that fit")
      } catch is JSONClient.Failure {
        tally.count("late pages that don't fit")
      }
    case 2:
      // Its list goes wrong, and it says so.
      if client.cursor != nil, client.goWrong(&writer.random) {
        client.admitList()
        // By chance it may be the one that is shown now, or that another window once showed.
        let isShown = client.sections == steady.sections
        let isKnown = given.contains(client.cursor)
        let kind = try client.apply(page(client.cursor))
        #expect(
          kind == "reset" || isShown || isKnown, "\(trace): a list that has gone wrong gets \(kind)"
        )
        if kind == "reset" { tally.count("resets by a check sum") }
      }
    case 3:
      // Its list goes wrong, and it doesn't know until it applies a page.
      if client.cursor != nil, client.goWrong(&writer.random) {
        let text = try page(client.cursor)
        do {
          // What was wrong may be just what the page replaces; then the sum is right.
          if try client.apply(text) == "changes" { tally.count("healed by changes") }
        } catch let failure as JSONClient.Failure {
          tally.count(failure == .wrongSum ? "wrong sums" : "misfits")
          client = JSONClient(name: client.name)
        }
      }
    case 4:
      // Whatever it makes up isn't taken for a version.
      let cursor = FeedCursor(client.cursor ?? "")
      let made = FeedCursor(
        feed: (cursor?.feed ?? 7) &+ UInt64(random(0..<2)),
        version: try store.version + Int64(random(1..<1000)), sum: cursor?.sum ?? 0)
      let kind = try client.apply(page(made.description))
      #expect(kind == "reset", "\(trace): an unknown cursor gets \(kind)")
      tally.count("made-up cursors")
    default: break
    }
    let hadCursor = client.cursor != nil
    let kind = try client.apply(page(client.cursor))
    tally.count(kind)
    if kind == "reset" && hadCursor { tally.count("resets of old cursors") }
    #expect(client.sections == steady.sections, "\(trace): what left and came back")
    #expect(client.cursor == steady.cursor, "\(trace): cursors")
  }

  mutating func end() throws {
    for index in clients.indices {
      _ = try clients[index].apply(page(clients[index].cursor))
      #expect(clients[index].sections == steady.sections, "\(trace), client \(index), at the end")
    }
  }
}

@Suite(.oneThread) struct FeedOracleTests {
  private static let worlds = seeds(240)

  @Test
  func `F14: a client that is killed and resumed ends with the list of one that never left`()
    throws
  {
    let tally = Tally(changesAnd: [
      "pages", "encodings", "reset", "changes", "unchanged", "new windows", "new queries",
      "new feeds", "reopened files", "sections through a reference", "lost pages",
      "late pages that fit", "late pages that don't fit", "resets by a check sum", "wrong sums",
      "misfits", "healed by changes", "made-up cursors", "resets of old cursors", "idle steps",
    ])
    for seed in Self.worlds {
      var world = try FeedWorld(seed % 6 == 5 ? .file : .memory, seed: seed, tally)
      for step in 0..<40 { try world.step(step) }
      try world.end()
    }
    print("Feeds: \(Self.worlds.count); \(tally.description)")
    tally.expectAll()
    #expect(tally["encodings"] < tally["pages"])
  }
}
