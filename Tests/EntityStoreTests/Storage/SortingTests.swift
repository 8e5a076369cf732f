@_spi(Storage) @testable import EntityStore
import Fixtures
import TestSupport
import Testing

/// Something to sort by any of its attributes.
private struct Tune: Entity {
  let id: Int
  var title: String
  var length: Int
  var key: String?
  static let attributes = Attributes(
    .id(\Tune.id), .attribute("title", \.title), .attribute("length", \.length),
    .attribute("key", \.key))
  static let schema = Schema(attributes, Tune.init)
}

/// Titles that begin alike, are short, empty or no ASCII.
private let titles = [
  "", "a", "aaaaaaaa", "aaaaaaaaa", "aaaaaaaab", "aaaaaaa\u{0}", "b", "Ünder", "\u{10FFFF}",
  "zzzzzzzzz",
]
private let lengths = [0, 1, -1, 255, 256, .max, .min]

/// Whether a text comes before another by its bytes; nil if they are equal.
private func isBefore(_ a: String, _ b: String) -> Bool? {
  let (a, b) = (Array(a.utf8), Array(b.utf8))
  return a == b ? nil : a.lexicographicallyPrecedes(b)
}

private func isBefore(_ a: String?, _ b: String?) -> Bool? {
  guard let a else { return b == nil ? nil : true }
  guard let b else { return false }
  return isBefore(a, b)
}

@Suite(.oneThread) struct SortingTests {
  private func makeTunes(_ count: Int, _ generator: inout SeededGenerator) -> [Tune] {
    (0..<count).shuffled(using: &generator).map { id in
      let key = [nil, "", "aaaaaaaac", "C"].randomElement(using: &generator) ?? nil
      return Tune(
        id: id, title: titles.randomElement(using: &generator) ?? "",
        length: lengths.randomElement(using: &generator) ?? 0, key: key)
    }
  }

  private func check(
    _ tunes: [Tune], _ query: Query<Tune>, _ hint: String, by isBefore: (Tune, Tune) -> Bool?
  ) throws {
    let store = try Store(.inMemory, entities: [Tune.self])
    try store.commit { draft in for tune in tunes { try draft.insert(tune) } }
    let expected = tunes.sorted { isBefore($0, $1) ?? ($0.id < $1.id) }.map(\.id)
    expectEqual(try store.fetch(query).map(\.id), expected, hint)
    let half = tunes.count / 2
    expectEqual(
      try store.fetch(query.limit(half, offset: 1)).map(\.id),
      Array(expected.dropFirst().prefix(half)), hint)
    // What a result is made of.
    let plan = FetchPlan(query.description)
    let sorted = try #require(try store.withStorageReader { try Sorting(plan, from: $0) })
    expectEqual(sorted.count, tunes.count, hint)
    let table = RowTable(sorted)
    expectEqual(table.count, tunes.count, hint)
    for (slot, id) in expected.enumerated() {
      expectEqual(table.id(slot), .integer(Int64(id)), hint)
      expectEqual(table.slot(of: .integer(Int64(id))), slot, hint)
    }
    for rank in sorted.count > 1 ? 1..<sorted.count : 1..<1 {
      if sorted.prefix(rank - 1) > sorted.prefix(rank) { Issue.record("prefix \(rank) \(hint)") }
    }
  }

  @Test(arguments: [0, 1, 2, 10, 255, 256, 257, 2000])
  func `S8: rows stand in the order of their keys, few or many`(_ count: Int) throws {
    var generator = SeededGenerator(seed: count)
    let tunes = makeTunes(count, &generator)
    let all = Query<Tune>()
    try check(tunes, all.sorted { [$0.title.ascending] }, "titles") { a, b in
      isBefore(a.title, b.title)
    }
    try check(tunes, all.sorted { [$0.title.descending] }, "titles downwards") { a, b in
      isBefore(b.title, a.title)
    }
    try check(tunes, all.sorted { [$0.length.ascending] }, "lengths") { a, b in
      a.length == b.length ? nil : a.length < b.length
    }
    let two = all.sorted { [$0.length.descending, $0.title.ascending] }
    try check(tunes, two, "two keys") { a, b in
      a.length == b.length ? isBefore(a.title, b.title) : a.length > b.length
    }
    try check(tunes, all.sorted { [$0.key.ascending] }, "keys") { a, b in
      isBefore(a.key, b.key)
    }
    try check(tunes, all, "ids") { _, _ in nil }
  }

  @Test func `Prefixes are sorted by all of their bytes, and equal ones keep their order`() {
    for count in [1, 2, 256, 1000] {
      for bits in [0, 1, 8, 9, 33, 64] {
        var generator = SeededGenerator(seed: count + bits)
        let mask = bits == 64 ? UInt64.max : (1 << UInt64(bits)) - 1
        let shift = UInt64.random(in: 0...UInt64(64 - bits), using: &generator)
        var items = ContiguousArray(
          (0..<count).map { place in
            Sorting.Item(prefix: (generator.next() & mask) << shift, place: UInt32(place))
          })
        let expected = items.sorted { ($0.prefix, $0.place) < ($1.prefix, $1.place) }
        PrefixSorting.sort(&items)
        expectEqual(items.map(\.prefix), expected.map(\.prefix), "\(count) of \(bits) bits")
        expectEqual(items.map(\.place), expected.map(\.place), "\(count) of \(bits) bits")
      }
    }
  }

  @Test func `Sorted rows are released once`() throws {
    let tracker = LifetimeTracker()
    do {
      let store = try Store(.inMemory, entities: [Crate.self])
      try store.commit { draft in
        for number in 0..<300 {
          try draft.insert(Crate(id: "\(number)", payload: Payload(number, tracker)))
        }
      }
      let plan = FetchPlan(Query<Crate>().description)
      var tables: [RowTable] = []
      for _ in 0..<2 {
        let sorted = try #require(try store.withStorageReader { try Sorting(plan, from: $0) })
        tables.append(RowTable(sorted))
        // Sorted, and not taken.
        _ = try store.withStorageReader { try Sorting(plan, from: $0) }
        #expect(try store.fetch(Query<Crate>()).count == 300)
        #expect(try store.fetch(Query<Crate>().limit(7)).count == 7)
      }
      try store.commit { try $0.deleteAll(Crate.self) }
      #expect(tracker.aliveCount == 300)
      #expect(tables.map(\.count) == [300, 300])
    }
    #expect(tracker.aliveCount == 0)
  }

  @Test(arguments: [1, 63, 130, 500, 3000])
  func `S5: a limit gives the first rows of the whole order, whatever is dropped on the way`(
    _ count: Int
  ) throws {
    for seed in seeds(4) {
      var random = SeededGenerator(seed: UInt64(seed))
      let store = try Store(.inMemory, entities: [Car.self, Person.self])
      let kinds = [1, 3, 200, 1_000_000][Int.random(in: 0..<4, using: &random)]
      try store.commit { draft in
        for id in 0..<count {
          let number = Int.random(in: 0..<kinds, using: &random)
          try draft.insert(Car(id: id, model: "a model \(number)", year: number % 2000, owner: nil))
        }
      }
      let queries = [
        Query<Car>(), Query<Car>().sorted { [$0.model.ascending] },
        Query<Car>().sorted { [$0.year.descending, $0.model.ascending] },
        Query<Car>().filter { $0.year > 700 }.sorted { [$0.model.descending] },
        // There is an index of the years.
        Query<Car>().sorted { [$0.year.ascending] },
        Query<Car>().filter { $0.year >= 700 && $0.year < 1990 }.sorted { [$0.year.descending] },
        Query<Car>().filter { $0.model.hasSuffix("7") || $0.year > 1900 }
          .sorted { [$0.year.ascending] },
      ]
      for query in queries {
        let all = try store.fetch(query).map(\.id)
        for limit in [0, 1, 7, 64, 65, 400, 5000, Int.max] {
          for offset in [0, 1, 100, 2999, Int.max] {
            let part = try store.fetch(query.limit(limit, offset: offset)).map(\.id)
            expectEqual(
              part, Array(all.dropFirst(offset).prefix(limit)), "\(seed): \(limit) from \(offset)")
          }
        }
      }
    }
  }
}
