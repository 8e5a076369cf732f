import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import Testing
import TestSupport

private typealias ItemGroup = Group<EntityView<Item>>

/// A list of groups and its naive meaning.
private struct GroupForm: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var order: [ItemGroup.Order] = []
  var limit: Int?
  var rowCount = 0
  var isIncluded: @Sendable (ItemGroup) -> Bool = { _ in true }
  /// The order of two groups of sections in the order of the sections.
  var precedes: (@Sendable (PlainGroup, PlainGroup) -> Bool)?
  var belongs: @Sendable (PlainGroup) -> Bool = { _ in true }

  static let all = [
    GroupForm(testDescription: "all groups", rowCount: 2),
    GroupForm(
      testDescription: "by count, having two", order: [.descending { $0.count }],
      isIncluded: { $0.count >= 2 }, precedes: { $0.count > $1.count },
      belongs: { $0.count >= 2 }),
    GroupForm(
      testDescription: "top three by stock",
      order: [.descending { try $0.sum { $0.stock } }, .ascending { $0.name }], limit: 3,
      rowCount: 1,
      precedes: { a, b in
        let (x, y) = (a.totals.stock ?? .min, b.totals.stock ?? .min)
        return x == y ? a.name.lexicographicallyPrecedes(b.name) : x > y
      }),
    GroupForm(
      testDescription: "by price, nil and NaN first",
      order: [.ascending { $0.average { $0.price } }],
      precedes: { a, b in
        let (x, y) = (a.totals.price(a), b.totals.price(b))
        guard let y else { return false }
        return x.map { $0 < y } ?? true
      }),
  ]

  func model(of source: FetchedObjectsModel<Item>) -> DerivedModel<ItemGroup> {
    source.groups(by: order, limit: limit, showing: rowCount, having: isIncluded)
  }

  /// The groups of a snapshot, by hand.
  func expected(_ snapshot: ListSnapshot<EntityView<Item>>, _ store: Store) throws -> [PlainGroup] {
    let shelves = Dictionary(
      uniqueKeysWithValues: try store.fetch(Query<Shelf>()).map { ($0.id, $0) })
    var groups = snapshot.sections.map { section in
      PlainGroup(
        id: section.id, name: section.name, count: section.count,
        rows: section.prefix(rowCount).map(\.value),
        totals: Totals(section.map(\.value), shelves))
    }.filter(belongs)
    if let precedes {
      // Stable: groups that are equal stay in the order of their sections.
      groups = groups.enumerated().sorted { a, b in
        if precedes(a.element, b.element) { return true }
        return !precedes(b.element, a.element) && a.offset < b.offset
      }.map(\.element)
    }
    return Array(groups.prefix(limit ?? .max))
  }
}

/// A group as plain values, with texts as bytes: two forms of one letter are equal texts.
private struct PlainGroup: Equatable, Sendable {
  let id: SectionID
  let name: [UInt8]
  let count: Int
  let rows: [[UInt8]]
  let totals: Totals

  init(id: SectionID, name: String, count: Int, rows: [Item], totals: Totals) {
    (self.id, self.name, self.count) = (id, Array(name.utf8), count)
    self.rows = rows.map { Array("\($0)".utf8) }
    self.totals = totals
  }

  init(_ group: ItemGroup) {
    self.init(
      id: group.id, name: group.name, count: group.count, rows: group.rows.map(\.value),
      totals: Totals(group))
  }
}

extension Totals {
  /// The average price of a group, without NaN.
  fileprivate func price(_ group: PlainGroup) -> Double? {
    averagePrice.flatMap { $0.isNaN ? nil : $0 }
  }
}

/// A list of groups, and what its events have led to.
private final class GroupWatch: Sendable {
  let form: GroupForm
  let model: DerivedModel<ItemGroup>
  private let told: Locked<[PlainGroup]>
  private let token = Locked<SubscriptionToken?>(nil)
  let tally: Tally

  init(_ form: GroupForm, _ source: FetchedObjectsModel<Item>, _ tally: Tally) {
    self.form = form
    self.tally = tally
    model = form.model(of: source)
    told = Locked(model.snapshot.rows.map(PlainGroup.init))
    let token = model.didChange.subscribe { [unowned self] event in check(event) }
    self.token.withLock { $0 = token }
  }

  private func check(_ event: ListEvent<ItemGroup>) {
    let before = event.before.rows.map(PlainGroup.init)
    let after = event.after.rows.map(PlainGroup.init)
    expectEqual(before, told.withLock { $0 }, "\(form.testDescription): events lead on")
    var list = before
    event.changes.apply(to: &list) { after[$0.row] }
    expectEqual(list, after, "\(form.testDescription): the changes lead there")
    for update in event.changes.updates {
      expectTrue(
        before[update.old.row] != after[update.new.row],
        "\(form.testDescription): an update shows no difference: \(after[update.new.row])")
      expectEqual(before[update.old.row].id, after[update.new.row].id)
    }
    for move in event.changes.moves {
      expectEqual(before[move.old.row].id, after[move.new.row].id)
    }
    let old = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
    expectTrue(
      event.changes.deletes.allSatisfy { path in
        !after.contains { $0.id == before[path.row].id }
      }
        && event.changes.inserts.allSatisfy { old[after[$0.row].id] == nil },
      "A group that stays is deleted or inserted")
    expectTrue(!event.changes.isEmpty, "An event has no changes")
    told.withLock { $0 = after }
    tally.count("events")
    tally.count(event.changes)
  }

  func check(_ source: FetchedObjectsModel<Item>, _ store: Store, _ trace: String) throws {
    let expected = try form.expected(source.snapshot, store)
    let words = "\(trace), \(form.testDescription)"
    expectEqual(model.snapshot.rows.map(PlainGroup.init), expected, words)
    expectEqual(told.withLock { $0 }, expected, "\(words): told")
  }
}

@Suite(.oneThread) struct GroupOracleTests {
  private static let queries = [
    Query<Item>().sorted { [$0.name.ascending] }.sectioned { $0.shelf.name }.summedUp,
    Query<Item>().filter { $0.stock > 2 }.sorted { [$0.stock.descending] }
      .sectioned { $0.stock }.summedUp,
    Query<Item>().sorted { [$0.name.ascending] }.sectioned { $0.stock / 3 }.summedUp,
    Query<Item>().sorted { [$0.id.descending] }.sectioned(
      by: { $0.shelf.id }, title: { $0.shelf.name }, order: { $0.shelf.load.descending }
    ).summedUp,
    Query<Item>().summedUp,
  ]

  @Test(arguments: queries.indices, TestStorage.withServer)
  func `F16: Every event of a list of groups leads exactly from one list to the next`(
    _ place: Int, _ storage: TestStorage
  ) throws {
    let tally = Tally(changesAnd: ["events"])
    for seed in seeds(storage == .memory ? 200 : 40) {
      var random = SeededGenerator(seed: seed + 500)
      var writer = WarehouseWriter(random: SeededGenerator(seed: seed))
      let store = try storage.makeWarehouse()
      try store.commit { draft in
        for (id, name) in ["b", "a", "", "d", "c"].enumerated() {
          try draft.insert(Shelf(id: id, name: name, load: 3 - id))
        }
        for id in 0..<8 {
          try draft.insert(Item(id, name: "\(id)", stock: id, price: Double(id), shelf: id % 5))
        }
      }
      let source = try FetchedObjectsModel(
        Self.queries[place], in: store, policy: seed % 3 == 0 ? .coalesced : .every)
      let watches = GroupForm.all.map { GroupWatch($0, source, tally) }
      for step in 0..<25 {
        let trace = "query \(place), \(storage), seed \(seed), step \(step)"
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
          source.pause()
          for _ in 0..<3 { try writer.commit(store) }
          source.resume()
        case 1:
          let next = Self.queries[Int.random(in: Self.queries.indices, using: &random)]
          try source.setQuery(next)
        default: try writer.commit(store)
        }
        for watch in watches { try watch.check(source, store, trace) }
      }
    }
    print("Groups, query \(place), \(storage): \(tally.description)")
    for kind in ["events", "deletes", "inserts", "moves", "updates"] {
      #expect(tally[kind] > 0, "There was no case of \(kind)")
    }
  }
}
