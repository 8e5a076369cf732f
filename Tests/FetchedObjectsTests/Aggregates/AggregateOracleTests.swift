import EntityStore
import FetchedObjects
import Fixtures
import TestSupport
import Testing

/// A query with sums.
struct SummedQuery: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let query: Query<Item>

  static let all: [SummedQuery] = [
    SummedQuery(testDescription: "by id", query: Query().summedUp),
    SummedQuery(
      testDescription: "by name", query: Query().sorted { [$0.name.ascending] }.summedUp),
    SummedQuery(
      testDescription: "some, by stock",
      query: Query()
        .filter {
          $0.stock > 3 || $0.shelf.load > 2
        }
        .sorted { [$0.stock.descending, $0.name.ascending] }
        .summedUp),
    SummedQuery(
      testDescription: "in sections by shelf",
      query: Query().sorted { [$0.name.ascending] }.sectioned { $0.shelf.name }.summedUp),
    SummedQuery(
      testDescription: "in sections, with the shelf",
      query: Query()
        .sorted { [$0.name.ascending] }
        .sectioned(
          by: { $0.shelf.id }, title: { $0.shelf.name }, order: { $0.shelf.name.ascending }
        )
        .including { $0.shelf }
        .summedUp),
  ]
}

/// Makes commits of a few random writes.
struct WarehouseWriter {
  var random: SeededGenerator
  let items = 24
  let shelves = 5

  mutating func commit(_ store: Store) throws {
    let count = Int.random(in: 1...4, using: &random)
    do {
      try store.commit { draft in for _ in 0..<count { try write(draft) } }
    } catch StoreError.missingReference {
      // An item of a shelf that came and went in this commit: nothing has happened.
    }
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private mutating func name() -> String { pick(["", "B", "C", "a", "b", "\u{E9}", "e\u{301}"]) }

  private mutating func debt() -> Int? {
    pick([nil, 0, 1, -1, .max, .min, .max / 2, .min / 2, .max, .min])
  }

  private mutating func price() -> Double? {
    pick([nil, 0.1, 0.2, -0.3, 1e17, -1e17, 1e-200, 1e300, -1e300, 12.95])
  }

  private mutating func write(_ draft: borrowing Draft) throws {
    let item = Int.random(in: 0..<items, using: &random)
    let shelf = Int.random(in: 0..<shelves, using: &random)
    let place = try draft.find(Shelf.self, shelf).map { Ref($0) }
    let (name, debt, price) = (name(), debt(), price())
    let stock = Int.random(in: 0..<8, using: &random)
    let exists = try draft.find(Item.self, item) != nil
    switch Int.random(in: 0..<16, using: &random) {
    case 0:
      try draft.upsert(
        Shelf(id: shelf, name: name, load: pick([nil, 1, 2, 3, Int.max, Int.min])))
    case 1, 2:
      if place != nil { try draft.update(Shelf.self, shelf) { $0.load = stock } }
    case 3: if place != nil && random.chance(0.3) { try draft.delete(Shelf.self, shelf) }
    case 4: if exists { try draft.delete(Item.self, item) }
    case 5: if exists { try draft.update(Item.self, item) { $0.shelf = place } }
    case 6: if exists { try draft.update(Item.self, item) { $0.name = name } }
    case 7, 8, 9: if exists { try draft.update(Item.self, item) { $0.price = price } }
    case 10: if exists { try draft.update(Item.self, item) { $0.debt = debt } }
    case 11: if exists { try draft.update(Item.self, item) { $0.stock = stock } }
    default:
      try draft.upsert(
        Item(
          id: item, name: name, stock: stock, debt: debt, price: price,
          code: pick([0, 1, UInt64(Int64.max), 1 << 40, .max]), shelf: place))
    }
  }
}

@Suite(.oneThread) struct AggregateOracleTests {
  /// A snapshot and what it should give, of which it may not have been asked yet.
  private struct Kept: Sendable {
    let snapshot: ListSnapshot<EntityView<Item>>
    let all: Totals
    let sections: [Totals]
    let trace: String

    init(_ snapshot: ListSnapshot<EntityView<Item>>, _ store: Store, _ trace: String) throws {
      self.snapshot = snapshot
      self.trace = trace
      let shelves = Dictionary(
        uniqueKeysWithValues: try store.fetch(Query<Shelf>()).map { ($0.id, $0) })
      all = Totals(snapshot.objects, shelves)
      sections = snapshot.sections.map { Totals($0.objects, shelves) }
    }

    func check() {
      expectEqual(Totals(snapshot), all, trace)
      for (section, expected) in zip(snapshot.sections, sections) {
        expectEqual(Totals(section), expected, "\(trace), section \(section.name)")
      }
    }
  }

  @Test(arguments: SummedQuery.all, TestStorage.withServer)
  func `Sums, averages, extremes and counts are those of the rows, in each snapshot and section`(
    _ summed: SummedQuery, _ storage: TestStorage
  ) throws {
    for seed in seeds(storage == .memory ? 12 : 3) {
      let store = try storage.makeWarehouse()
      var writer = WarehouseWriter(random: SeededGenerator(seed: seed))
      for _ in 0..<4 { try writer.commit(store) }
      let model = try FetchedObjectsModel(summed.query, in: store)
      var kept: [Kept] = []
      var random = SeededGenerator(seed: seed)
      for step in 0..<80 {
        try writer.commit(store)
        let now = try Kept(
          model.snapshot, store, "\(summed.testDescription), seed \(seed), step \(step)")
        // Some are asked at once, some later and some never before the next change.
        if random.chance(0.4) { now.check() }
        if random.chance(0.5) { kept.append(now) }
        if random.chance(0.1) { kept.randomElement(using: &random)?.check() }
      }
      let all = kept
      onThreads(3) { index in
        var random = SeededGenerator(seed: index)
        for kept in all.shuffled(using: &random) { kept.check() }
      }
    }
  }

  @Test func `Threads that ask while commits come get the numbers of their snapshot`() throws {
    let store = try TestStorage.memory.makeWarehouse()
    try store.commit { draft in
      for id in 0..<2000 { try draft.insert(Item(id, name: "\(id % 7)", stock: 1, price: 0.1)) }
    }
    let model = try FetchedObjectsModel(
      Query<Item>().sorted { [$0.name.ascending] }.aggregating {
        $0.stock
        $0.price
      }, in: store)
    onThreads(4) { index in
      if index == 0 {
        for step in 0..<300 {
          // The stock of an item is put on another one: in every version there are 2000 in all.
          do {
            try store.commit { draft in
              let (from, to) = (step * 7 % 2000, (step * 11 + 1) % 2000)
              guard from != to else { return }
              let moved = try draft.find(Item.self, from)?.stock ?? 0
              try draft.update(Item.self, from) { $0.stock -= moved }
              try draft.update(Item.self, to) { $0.stock += moved }
            }
          } catch { recordIssue("\(error)") }
        }
      } else {
        for _ in 0..<200 {
          let snapshot = model.snapshot
          expectEqual(try? snapshot.sum { $0.stock }, 2000)
          expectEqual(snapshot.sum { $0.price }, 200)
          expectEqual(snapshot.objects.reduce(0) { $0 + $1.stock }, 2000)
        }
      }
    }
    #expect(try store.version > 200)
  }
}
