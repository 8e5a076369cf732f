@_spi(Storage) import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite(.serialized) struct DraftRequestTests {
  @Test(arguments: TestStorage.withServer, seeds(20))
  func `S5: whatever a body writes, each of its requests finds what plain lists have`(
    _ storage: TestStorage, _ seed: Int
  ) throws {
    let store = try storage.makeStore(Owner.self, Line.self)
    var random = SeededGenerator(seed: seed)
    var plain: [Int: Line] = [:]
    for id in 1...60 { plain[id] = Line(id, &random) }
    try store.commit { try $0.insert(contentsOf: plain.values) }
    let requests = Request.all.shuffled(using: &random)
    try store.commit { draft in
      func write() throws {
        let id = Int.random(in: 1...90, using: &random)
        if plain[id] != nil && random.chance(0.3) {
          try draft.delete(Line.self, id)
          plain[id] = nil
        } else {
          let line = Line(id, &random)
          try draft.upsert(line)
          plain[id] = line
        }
      }
      func check(_ step: Int) throws {
        // A few requests alternate for some time.
        let request = requests[(step / 20 + Int.random(in: 0..<3, using: &random)) % requests.count]
        let all = request.lines(of: plain.values).map(\.id)
        let limit = Int.random(in: 1...4, using: &random)
        let offset = Int.random(in: 0...3, using: &random)
        let name = "\(request.name) at step \(step)"
        let some = try draft.fetch(request.query.limit(limit, offset: offset)).map(\.id)
        expectEqual(some, Array(all.dropFirst(offset).prefix(limit)), name)
        let last = try draft.fetch(request.query.last(limit)).map(\.id)
        expectEqual(last, Array(all.suffix(limit)), name)
        let (first, count) = (try draft.first(request.query), try draft.count(request.query))
        expectEqual(first, all.first.flatMap { plain[$0] }, name)
        expectEqual(count, all.count, name)
        if step % 5 > 0 { return }
        expectEqual(try draft.fetch(request.query).map(\.id), all, name)
      }
      for step in 0..<150 {
        if step % 10 == 9 {
          let before = plain
          do {
            try store.commit { _ in
              for _ in 0..<5 {
                try write()
                try check(step)
              }
              throw Refusal()
            }
          } catch is Refusal {
            plain = before
          }
        } else {
          // Now and then so many that the draft gives up what it has kept.
          for _ in 0..<(step % 40 == 30 ? 100 : 1) { try write() }
        }
        for _ in 0..<3 { try check(step) }
      }
    }
    let left = try store.fetch(Query<Line>())
    expectEqual(left, plain.values.sorted { $0.id < $1.id })
  }

  @Test(arguments: [false, true])
  func `S5: a body that appends behind the last object reads each of them a few times`(
    _ isOfOne: Bool
  ) throws {
    let store = try Store(.inMemory, entities: [Owner.self, Item.self])
    let count = 1000
    let items = isOfOne ? Query<Item>().filter { $0.list == Ref(1) } : Query<Item>()
    let backwards = items.sorted { [$0.place.descending] }
    let before = Item.readings.value
    try store.commit { draft in
      for id in 1...count {
        let last = try draft.first(backwards)?.place.number ?? 0
        try draft.insert(Item(id: id, list: Ref(1), place: Item.Place(last + 1)))
      }
    }
    // If each request sorts all that has been written, it is half the square.
    #expect(Item.readings.value - before < 50 * count)
    #expect(try store.first(backwards)?.place.number == count)
  }

  @Test func `S5: a body that alternates between counts tests each written object a few times`()
    throws
  {
    let store = try Store(.inMemory, entities: [Owner.self, Item.self])
    let count = 900
    let thirds = (0..<3).map { number in
      Query<Item>().filter { $0.place == Item.Place(number) }
    }
    let before = Item.readings.value
    try store.commit { draft in
      for id in 0..<count {
        try draft.insert(Item(id: id, list: nil, place: Item.Place(id % 3)))
        for (number, third) in thirds.enumerated() {
          expectEqual(try draft.count(third), (id + 3 - number) / 3)
        }
      }
    }
    #expect(Item.readings.value - before < 50 * count)
  }

  @Test func `S5: a body that has written one object doesn't read all with the same key`() throws {
    let storage = CountedKeys()
    let store = try Store(.custom { storage }, entities: [Owner.self, Item.self])
    let count = 1000
    try store.commit { draft in
      for id in 1...count {
        try draft.insert(Item(id: id, list: Ref(1), place: Item.Place(id)))
      }
    }
    let start = storage.found.value
    try store.commit { draft in
      let rest = Query<Item>().filter { $0.list == Ref(1) }.sorted { [$0.id.descending] }
      try draft.delete(Item.self, count)
      #expect(try draft.first(rest)?.id == count - 1)
      #expect(try draft.count(rest) == count - 1)
      try draft.update(Item.self, 1) { $0.list = Ref(2) }
      try draft.insert(Item(id: count + 1, list: Ref(1), place: Item.Place(0)))
      #expect(try draft.first(rest)?.id == count + 1)
      #expect(try draft.count(rest) == count - 1)
    }
    #expect(storage.found.value - start < 20)
  }
}

/// A line that belongs to an owner, who need not be there.
private struct Line: Entity, Hashable {
  let id: Int
  var owner: Ref<Owner>?
  var rank: Int?
  var name: String
  var isDone: Bool
  static let attributes = Attributes(
    .id(\Line.id), .one("owner", \.owner, lateBound: true), .attribute("rank", \.rank),
    .attribute("name", \.name), .attribute("isDone", \.isDone))
  static let schema = Schema(attributes, Line.init, rules: [.index(\.rank)])
}

extension Line {
  /// Makes a line with a few values that come again and again.
  init(_ id: Int, _ random: inout SeededGenerator) {
    let owner = Int.random(in: 0..<3, using: &random)
    let rank = Int.random(in: 0..<6, using: &random)
    self.init(
      id: id, owner: owner == 0 ? nil : Ref(owner), rank: rank == 0 ? nil : rank,
      name: ["a", "b", "c"][Int.random(in: 0..<3, using: &random)], isDone: random.chance(0.5))
  }
}

private func rank(_ line: Line) -> Int { line.rank ?? .min }

/// A query with its plain meaning.
private struct Request {
  let name: String
  let query: Query<Line>
  let belongs: (Line) -> Bool
  /// Whether the first comes before the second; the ids decide where none does.
  let precedes: (Line, Line) -> Bool

  func lines(of all: some Sequence<Line>) -> [Line] {
    all.filter(belongs).sorted { a, b in
      precedes(a, b) || !precedes(b, a) && a.id < b.id
    }
  }

  private struct Filter {
    let name: String
    let query: Query<Line>
    let belongs: (Line) -> Bool
  }

  private static var filters: [Filter] {
    let lines = Query<Line>()
    var filters = [Filter(name: "all", query: lines) { _ in true }]
    let ofOne = lines.filter { $0.owner == Ref(1) }
    filters.append(Filter(name: "of 1", query: ofOne) { $0.owner == Ref(1) })
    let open = lines.filter { $0.owner == Ref(2) && $0.isDone == false }
    filters.append(Filter(name: "open of 2", query: open) { $0.owner == Ref(2) && !$0.isDone })
    let low = lines.filter { $0.rank < 4 }
    filters.append(Filter(name: "low", query: low) { ($0.rank ?? 9) < 4 })
    let third = lines.filter { $0.rank == 3 }
    filters.append(Filter(name: "rank 3", query: third) { $0.rank == 3 })
    let named = lines.filter { $0.name.in(["a", "b"]) }
    filters.append(Filter(name: "a or b", query: named) { $0.name != "c" })
    let single = lines.filter { $0.id == 30 }
    filters.append(Filter(name: "30", query: single) { $0.id == 30 })
    return filters
  }

  static var all: [Request] {
    var all: [Request] = []
    for filter in filters {
      all.append(
        Request(name: filter.name, query: filter.query, belongs: filter.belongs) { _, _ in false })
      let byRank = filter.query.sorted { [$0.rank.descending] }
      all.append(
        Request(name: "\(filter.name) by rank", query: byRank, belongs: filter.belongs) { a, b in
          rank(a) > rank(b)
        })
      let byName = filter.query.sorted { [$0.name.ascending, $0.rank.ascending] }
      all.append(
        Request(name: "\(filter.name) by name", query: byName, belongs: filter.belongs) { a, b in
          a.name == b.name ? rank(a) < rank(b) : a.name < b.name
        })
    }
    return all
  }
}

/// An item at a place in a list; it counts how often places are read.
private struct Item: Entity {
  struct Place: Storable, Hashable, Comparable {
    var number: Int
    init(_ number: Int) { self.number = number }
    static var storedType: StoredType { .integer }
    var storedValue: StoredValue {
      Item.readings.add()
      return .integer(Int64(number))
    }
    init(storedValue: StoredValue) throws { number = try Int(storedValue: storedValue) }
    static func < (a: Place, b: Place) -> Bool { a.number < b.number }
  }

  static let readings = Counter()
  let id: Int
  var list: Ref<Owner>?
  var place: Place
  static let attributes = Attributes(
    .id(\Item.id), .one("list", \.list, lateBound: true), .attribute("place", \.place))
  static let schema = Schema(attributes, Item.init)
}

/// Memory that counts the objects, and the ids, that commits find in it.
private final class CountedKeys: Storage {
  private let memory = InMemoryStorage()
  let found = Counter()

  func open(_ entities: [EntityDescription]) throws -> Int64 { try memory.open(entities) }

  func begin() throws -> any StorageTransaction {
    let transaction = try memory.begin()
    let counting = ForwardingTransaction(transaction)
    counting.didFind = { [found] in found.add($0) }
    return counting
  }

  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try memory.read(body)
  }
}
