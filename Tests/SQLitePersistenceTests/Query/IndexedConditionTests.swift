@_spi(Inspection) import EntityStore
import Fixtures
import SQLitePersistence
import TestSupport
import Testing

private struct Label: Entity {
  let id: Int
  var name: String
  var isOpen: Bool
  static let attributes = Attributes(
    .id(\Label.id), .attribute("name", \.name), .attribute("isOpen", \.isOpen))
  static let schema = Schema(attributes, Label.init, rules: [.index(\.name), .index(\.isOpen)])
}

private struct Album: Entity {
  let id: String
  var title: String?
  var label: Ref<Label>?
  static let attributes = Attributes(
    .id(\Album.id), .attribute("title", \.title), .one("label", \.label))
  static let schema = Schema(attributes, Album.init, rules: [.index(\.title)])
}

private struct Track: Entity {
  let id: Int
  var title: String?
  /// The album may be missing.
  var album: Ref<Album>?
  var isLoud: Bool
  var isLive: Bool?
  var due: Double?
  static let attributes = Attributes(
    .id(\Track.id), .attribute("title", \.title), .one("album", \.album, lateBound: true),
    .attribute("isLoud", \.isLoud), .attribute("isLive", \.isLive), .attribute("due", \.due))
  static let schema = Schema(
    attributes, Track.init,
    rules: [.index(\.title), .index(\.isLoud), .index(\.isLive), .index(\.due)])
}

private typealias Tracks = Row<Track, Track>

/// A condition of a query, and the same in Swift.
private struct Sample {
  let name: String
  let query: Query<Track>
  let opposite: Query<Track>
  let holds: (Track) -> Bool

  init(
    _ name: String, _ holds: @escaping (Track) -> Bool,
    @Condition<Track>.Builder where condition: (Tracks) -> Condition<Track>
  ) {
    self.name = name
    self.holds = holds
    query = Query<Track>().filter(condition)
    opposite = Query<Track>().filter { !condition($0) }
  }
}

/// Tracks with all kinds of values, and the albums and labels to which they lead.
private struct Shop {
  static let entities: [any Entity.Type] = [Label.self, Album.self, Track.self]
  static let titles: [String] = [
    "", "a", "ab", "a\u{301}", "\u{E1}", "a\(nul)", "a\(nul)b", "b", "\u{7F}", "\u{80}",
    "\u{D7FF}x", "\u{E000}", "\u{10FFFF}", "\u{10FFFF}a", "a\u{10FFFF}", "a\u{10FFFF}b",
  ]

  let labels: [Int: Label] = [
    1: Label(id: 1, name: "a", isOpen: true), 2: Label(id: 2, name: "b", isOpen: false),
  ]
  let albums: [String: Album] = [
    "x": Album(id: "x", title: nil, label: nil), "y": Album(id: "y", title: "a", label: Ref(1)),
    "z": Album(id: "z", title: "b", label: Ref(2)),
  ]
  let tracks: [Track]

  init() {
    let ids: [String?] = [nil, "missing", "x", "y", "z"]
    let truths: [Bool?] = [nil, false, true]
    var tracks: [Track] = []
    for number in 0..<510 {
      let title = number % 17
      let album = ids[number % 5]
      tracks.append(
        Track(
          id: number, title: title == 16 ? nil : Self.titles[title], album: album.map { Ref($0) },
          isLoud: number % 2 == 1, isLive: truths[number % 3],
          due: number % 4 == 0 ? nil : Double(number)))
    }
    self.tracks = tracks
  }

  func fill(_ store: Store) throws {
    try store.commit { draft in
      try draft.insert(contentsOf: labels.values.sorted { $0.id < $1.id })
      try draft.insert(contentsOf: albums.values.sorted { $0.id < $1.id })
      try draft.insert(contentsOf: tracks)
    }
  }

  private func album(_ track: Track) -> Album? { track.album.flatMap { albums[$0.id] } }

  private func label(_ track: Track) -> Label? {
    album(track).flatMap { $0.label }.flatMap { labels[$0.id] }
  }

  private static func same(_ a: String?, _ b: String) -> Bool {
    a.map { Array($0.utf8) == Array(b.utf8) } ?? false
  }

  private static func begins(_ text: String?, _ part: String) -> Bool {
    text.map { Array($0.utf8).starts(with: Array(part.utf8)) } ?? false
  }

  /// Conditions that an index serves, besides those of texts.
  var indexed: [Sample] {
    [
      Sample("the title of the album", { Self.same(album($0)?.title, "a") }) {
        $0.album.title == "a"
      },
      Sample("the album's id", { album($0)?.id == "y" }) { $0.album.id == "y" },
      Sample("one of no albums", { _ in false }) { $0.album.id == "missing" },
      Sample("the ids of albums", { ["x", "z"].contains(album($0)?.id) }) {
        $0.album.id.in(["x", "missing", "z"])
      },
      Sample("the name of the label", { Self.same(label($0)?.name, "b") }) {
        $0.album.label.name == "b"
      },
      Sample("the label", { label($0)?.id == 1 }) { $0.album.label.id == 1 },
      Sample("a truth", { $0.isLoud }) { $0.isLoud },
      Sample("a truth that isn't", { !$0.isLoud }) { !$0.isLoud },
      Sample("an optional truth", { $0.isLive ?? false }) { $0.isLive },
      Sample("nil", { $0.due == nil }) { $0.due.isNil },
      Sample("not something", { $0.title == nil }) { !($0.title != nil) },
      Sample("a title or nil", { Self.same($0.title, "ab") || $0.due == nil }) {
        $0.title == "ab" || $0.due.isNil
      },
    ]
  }

  /// Conditions that read the rows one by one, or that the caller doesn't ask about.
  var others: [Sample] {
    [
      Sample("a truth of the label", { label($0)?.isOpen ?? false }) { $0.album.label.isOpen },
      Sample("the start of the label's name", { Self.begins(label($0)?.name, "a") }) {
        $0.album.label.name.hasPrefix("a")
      },
      Sample("something", { $0.due != nil }) { $0.due != nil },
      Sample("not nil", { $0.title != nil }) { !$0.title.isNil },
      Sample("an optional truth that isn't", { !($0.isLive ?? false) }) { !$0.isLive },
      Sample("a truth of the label that isn't", { !(label($0)?.isOpen ?? false) }) {
        !$0.album.label.isOpen
      },
      Sample("another title of the album", { !Self.same(album($0)?.title, "a") }) {
        $0.album.title != "a"
      },
      Sample("an album without a title", { album($0)?.title == nil }) { $0.album.title.isNil },
      Sample("an album with a title", { album($0)?.title != nil }) { $0.album.title != nil },
      Sample("no album that is there", { album($0) == nil }) { $0.album.id.isNil },
      Sample(
        "one album or none", { Self.same(album($0)?.title, "b") || album($0)?.title == nil }
      ) {
        $0.album.title == "b" || $0.album.title.isNil
      },
      Sample(
        "both ways", { Self.same(label($0)?.name, "a") && !Self.same(album($0)?.title, "b") }
      ) {
        $0.album.title != "b"
        $0.album.label.name == "a"
      },
      Sample("after a title", { album($0)?.title.map { $0 > "a" } ?? false }) {
        $0.album.title > "a"
      },
    ]
  }

  var prefixes: [Sample] {
    (Self.titles + ["\0", "a\0", "\u{FFFF}", "\u{10FFFF}\u{10FFFF}", "zz"]).map { part in
      Sample("begins with \(Array(part.utf8))", { Self.begins($0.title, part) }) {
        $0.title.hasPrefix(part)
      }
    }
  }
}

@Suite struct `Conditions that an index serves` {
  @Test(arguments: TestStorage.withServer)
  func `S7 S8: they select what the same conditions select in Swift, and so do their opposites`(
    _ storage: TestStorage
  ) throws {
    let shop = Shop()
    let store = try storage.makeStore(Shop.entities)
    try shop.fill(store)
    let samples = shop.indexed + shop.others + shop.prefixes
    for sample in samples {
      let expected = shop.tracks.filter(sample.holds).map(\.id)
      let rest = shop.tracks.filter { !sample.holds($0) }.map(\.id)
      expectEqual(try store.fetch(sample.query).map(\.id), expected, sample.name)
      expectEqual(try store.fetch(sample.opposite).map(\.id), rest, "not \(sample.name)")
      expectEqual(try store.count(sample.query), expected.count, "count of \(sample.name)")
      expectEqual(try store.count(sample.opposite), rest.count, "count of not \(sample.name)")
      let sorted = sample.query.sorted { [$0.due.descending, $0.title.ascending] }
      expectEqual(
        try store.fetch(sorted.limit(3)).map(\.id), try store.fetch(sorted).prefix(3).map(\.id),
        "\(sample.name), within a limit")
      expectEqual(
        try store.fetch(sample.query.sorted { [$0.album.title.ascending] }).count, expected.count,
        "\(sample.name), in an order that joins the same table")
    }
  }

  @Test func `S7: a file looks the objects up by an index, also through references`() throws {
    let store = try Store(
      .sqlite(path: temporaryPath(), durability: .normal, watching: .none), entities: Shop.entities)
    let shop = Shop()
    let prefixes = ["a", "ab", "a\0", "a\u{301}", "a\u{10FFFF}", "\u{D7FF}"]
      .map { part in Query<Track>().filter { $0.title.hasPrefix(part) } }
    for query in shop.indexed.map(\.query) + prefixes {
      let plan = try query.plan(in: store)
      expectTrue(plan.isWhollySaid, "\(plan)")
      expectTrue(plan.steps.contains { $0.contains("SEARCH") }, "\(plan)")
      expectTrue(!plan.steps.contains { $0.contains("SCAN") }, "\(plan)")
    }
  }

  @Test func `S7: a file keeps an object without the other one unless it can't be meant`() throws {
    let store = try Store(
      .sqlite(path: temporaryPath(), durability: .normal, watching: .none), entities: Shop.entities)
    func leftJoins(
      @Condition<Track>.Builder _ condition: (Tracks) -> Condition<Track>
    ) throws -> String {
      let sql = try Query<Track>().filter(condition).plan(in: store).statement
      return "\(sql.ranges(of: "LEFT JOIN").count) of \(sql.ranges(of: "JOIN").count)"
    }
    #expect(try leftJoins { $0.album.label.name == "a" } == "0 of 2")
    #expect(try leftJoins { $0.album.label.name != "a" } == "2 of 2")
    #expect(try leftJoins { $0.album.label.name == nil } == "2 of 2")
    #expect(try leftJoins { !($0.album.label.name == "a") } == "2 of 2")
    #expect(try leftJoins { $0.album.title == "a" || $0.isLoud } == "1 of 1")
    let both = try leftJoins {
      $0.album.title == "a"
      $0.album.label.name != "a"
    }
    #expect(both == "1 of 2")
  }

  @Test func `S7: a file reads the first rows of an order by its index, and not all that match`()
    throws
  {
    let store = try Store(
      .sqlite(path: temporaryPath(), durability: .normal, watching: .none), entities: Shop.entities)
    func steps(_ query: Query<Track>) throws -> String {
      try query.plan(in: store).steps.joined(separator: "; ")
    }
    let loud = Query<Track>().filter { $0.isLoud }
    let begins = Query<Track>().filter { $0.title.hasPrefix("a") }
    for query in [loud, begins] {
      let byDue = query.sorted { [$0.due.descending] }
      let first = try steps(byDue.limit(50))
      #expect(first.contains(#"USING INDEX signalbox_index on "Track" "due""#), "\(first)")
      #expect(!first.contains("TEMP B-TREE FOR ORDER BY"), "\(first)")
      // All of them are sorted anyway.
      #expect(try !steps(byDue).contains(#""due""#))
    }
    // The order is that of the same index.
    let byTitle = try steps(begins.sorted { [$0.title.ascending] }.limit(50))
    #expect(byTitle.contains("SEARCH") && byTitle.contains("title>?"), "\(byTitle)")
    // Without an index for the order, all rows that match are sorted.
    let byLive = try steps(loud.sorted { [$0.album.title.ascending] }.limit(50))
    #expect(byLive.contains("isLoud=?"), "\(byLive)")
  }
}
