@_spi(Storage) import EntityStore
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

@_spi(Inspection) @testable import FetchedObjects

/// What a commit says of the places of rows is what searching for them would find.
@Suite struct PlacedRowsTests {
  private struct Fruit: Entity, Equatable {
    let id: Int
    var name: String
    var kind: Int
    var note: Int

    static let attributes = Attributes(
      .id(\Fruit.id), .attribute("name", \.name), .attribute("kind", \.kind),
      .attribute("note", \.note))
    static let schema = Schema(attributes, Fruit.init)
  }

  /// A version of the objects 0 to 2: each absent, or one of three.
  private static let states: [[Int]] = {
    var all: [[Int]] = [[]]
    for _ in 0..<3 { all = all.flatMap { start in (0..<4).map { start + [$0] } } }
    return all
  }()

  /// Names whose prefixes are the same, and one whose isn't.
  private static func fruit(_ id: Int, _ state: Int) -> Fruit? {
    switch state {
    case 1: Fruit(id: id, name: "persimmon \(id % 2)", kind: 1, note: 1)
    case 2: Fruit(id: id, name: "persimmon 1", kind: 2, note: 2)
    case 3: Fruit(id: id, name: "apple", kind: 1, note: 3)
    default: nil
    }
  }

  private func set(_ old: [Int], _ new: [Int], in store: Store) throws {
    try store.commit { draft in
      for id in new.indices where old[id] != new[id] {
        if let fruit = Self.fruit(id, new[id]) {
          try old[id] == 0
            ? draft.insert(fruit) : draft.update(Fruit.self, id) { $0 = fruit }
        } else {
          try draft.delete(Fruit.self, id)
        }
      }
    }
  }

  private static let queries: [Query<Fruit>] = [
    Query<Fruit>().sorted { [$0.name.ascending] },
    Query<Fruit>().sorted { [$0.name.descending] },
    Query<Fruit>().sectioned { $0.kind }.sorted { [$0.name.ascending] },
    Query<Fruit>().filter { $0.note != 2 }.sectioned { $0.name },
  ]

  @Test(arguments: queries.indices)
  func `F3: from any three objects to any others, reported places are those that a search finds`(
    _ index: Int
  ) throws {
    let store = try Store(.inMemory, entities: [Fruit.self])
    let plan = ResultPlan(Self.queries[index].description)
    var random = SeededGenerator(seed: UInt64(index))
    var old = Self.states[0]
    let live = try LiveResults.of(store).result(of: plan.query, in: store)
    let follower = try ResultFollower(
      plan.query, in: store, delivery: .immediate, policy: nil,
      FollowerReceiver(shown: { event in
        guard case .placed(let placed) = event.touched else {
          Issue.record("Places aren't told")
          return
        }
        #expect(placed.areOf(event.before, event.after))
        let told = placed.changes(from: event.before, to: event.after)
        let found = listChanges(
          from: event.before, to: event.after, touching: placed.rows.map(\.id))
        #expect(told == found)
        for row in placed.rows where !row.keepsPlace {
          #expect(row.old == event.before.path(of: row.id))
          #expect(row.new == event.after.path(of: row.id))
        }
        for row in placed.rows where row.keepsPlace {
          #expect(event.before.row(row.id) != nil && event.after.row(row.id) != nil)
        }
      }))
    var order = Self.states.indices.shuffled(using: &random)
    order += Self.states.indices.shuffled(using: &random)
    for state in order {
      try set(old, Self.states[state], in: store)
      old = Self.states[state]
      let rows = try store.readStorage { try plan.fetch($0, at: 0) }
      var shown: [StoredValue] = []
      follower.shown.forEach { shown.append($0.id) }
      var fetched: [StoredValue] = []
      rows.forEach { fetched.append($0.id) }
      #expect(shown == fetched)
      #expect(follower.shown.base.sections.array.map(\.key) == rows.sections.array.map(\.key))
    }
    #expect(live.work.fetches == 1)
  }

  @Test func `F6: places of several commits are searched for, and so is what is in a window`()
    throws
  {
    let store = try Store(.inMemory, entities: [Fruit.self])
    let model = try FetchedObjectsModel(Query<Fruit>().sorted { [$0.name.ascending] }, in: store)
    let recorder = Recorder(model.didChange)
    try store.commit {
      for id in 0..<4 { try $0.insert(Fruit(id: id, name: "\(id)", kind: 0, note: 0)) }
    }
    model.pause()
    try store.commit { try $0.update(Fruit.self, 0) { $0.name = "8" } }
    try store.commit { try $0.update(Fruit.self, 1) { $0.name = "9" } }
    model.resume()
    model.pause()
    try store.commit { try $0.update(Fruit.self, 0) { $0.name = "0" } }
    try model.setWindow(offset: 1, limit: 2)
    model.resume()
    var shown: [Int] = []
    for event in recorder.values {
      var ids = event.before.fetchedObjects.map(\.id)
      event.changes.apply(to: &ids) { event.after[$0].value.id }
      #expect(ids == event.after.fetchedObjects.map(\.id))
      shown = ids
    }
    #expect(shown == [2, 3])
    #expect(recorder.values.count == 3)
  }

  @Test(.oneThread, arguments: queries.indices)
  func `F3: reported places of few and of many rows are those that a search finds`(_ index: Int)
    throws
  {
    let store = try Store(.inMemory, entities: [Fruit.self])
    let plan = ResultPlan(Self.queries[index].description)
    var random = SeededGenerator(seed: UInt64(index))
    func fruit(_ id: Int) -> Fruit {
      // Many have the same first eight bytes, and some the same name.
      Fruit(
        id: id, name: "persimmo\(Int.random(in: 0..<400, using: &random))",
        kind: Int.random(in: 0..<20, using: &random), note: Int.random(in: 0..<4, using: &random))
    }
    try store.commit { draft in
      for id in 0..<1000 { try draft.insert(fruit(id)) }
    }
    let moves = Locked(0)
    let model = try FetchedObjectsModel(Self.queries[index], in: store)
    let token = model.didChange.subscribe { event in
      var work = ChangeWork(before: event.before.result, after: event.after.result)
      work.touchAll()
      #expect(work.result() == event.changes)
      moves.withLock { $0 += event.changes.moves.count }
    }
    for size in [2, 700, 3, 40, 1, 300] {
      try store.commit { draft in
        for id in Set((0..<size).map { _ in Int.random(in: 0..<1200, using: &random) }).sorted() {
          let new = fruit(id)
          switch (try draft.find(Fruit.self, id) != nil, Int.random(in: 0..<4, using: &random)) {
          case (false, _): try draft.insert(new)
          case (true, 0): try draft.delete(Fruit.self, id)
          case (true, 1): try draft.update(Fruit.self, id) { $0.note = new.note }
          default: try draft.update(Fruit.self, id) { $0 = new }
          }
        }
      }
      let fetched = try store.readStorage { try plan.fetch($0, at: 0) }
      var ids: [StoredValue] = []
      fetched.forEach { ids.append($0.id) }
      #expect(model.snapshot.fetchedObjects.map { StoredValue.integer(Int64($0.id)) } == ids)
    }
    #expect(moves.withLock { $0 } > 100)
    withExtendedLifetime(token) {}
  }

  @Test func `Delivering a change of one row searches for nothing`() throws {
    let store = try Store(.inMemory, entities: [Fruit.self])
    try store.commit { draft in
      for id in 0..<1024 {
        try draft.insert(Fruit(id: id, name: "persimmon \(id + 10_000)", kind: 0, note: 0))
      }
    }
    let model = try FetchedObjectsModel(Query<Fruit>().sorted { [$0.name.ascending] }, in: store)
    let recorder = Recorder(model.didChange)
    let before = model.work.comparisons
    try store.commit { try $0.update(Fruit.self, 700) { $0.name = "persimmon 10099 and a half" } }
    #expect(recorder.values.last?.changes.moves.count == 1)
    // One search for the old place and one for the new one, among rows whose keys begin alike.
    #expect(model.work.comparisons - before <= 24)
    try store.commit { try $0.update(Fruit.self, 700) { $0.note = 1 } }
    #expect(recorder.values.last?.changes.updates.count == 1)
    // One search, by who is told.
    #expect(model.work.comparisons - before <= 36)
  }
}
