import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Relays
import TestSupport
import Testing

@Suite(.oneThread) struct `Another query of an index-only list` {
  private static let queries: [Query<Car>] =
    OracleQuery.all.map(\.query) + [
      Query<Car>(), Query<Car>().filter { $0.year > 2001 }.sorted { [$0.owner.age.descending] },
      Query<Car>().sorted { [$0.model.ascending] }.including { $0.owner.name },
      Query<Car>().sorted { [$0.model.descending] }.including {
        $0.owner.name
        $0.owner.age
      },
    ]

  /// Reads all rows with their included values, by whatever query is shown.
  private func read(_ model: IndexedObjectsModel<Car>) throws -> [Int?] {
    try model.sections.enumerated().flatMap { section, info in
      try (0..<info.count).map { row in
        try model.view(at: ListPath(section: section, row: row))?.id
      }
    }
  }

  @Test(arguments: TestStorage.withServer, seeds(30))
  func `F7: is shown as the difference, as by a model that keeps the objects`(
    _ storage: TestStorage, _ seed: Int
  ) throws {
    var random = SeededGenerator(seed: seed)
    let store = try storage.makeGarage()
    var writer = RandomWriter(random: SeededGenerator(seed: seed + 40))
    for _ in 0..<3 { try writer.commit(store) }
    var query = Self.queries[0]
    let pair = try IndexedPair(query, in: store)
    // Others hold some of the results, and one query is never in use before.
    let others = try Self.queries.prefix(3).map { try IndexedObjectsModel($0, in: store) }
    for step in 0..<20 {
      let label = "seed \(seed), step \(step)"
      // The index-only list may tell of other included values where nothing has changed.
      let (told, indexedTold) = (pair.wholeEvents.values.count, pair.events.values.count)
      let isPaused = random.chance(0.3)
      if isPaused {
        pair.whole.pause()
        pair.indexed.pause()
      }
      let before = try read(pair.indexed)
      var keepsIncluded = true
      var isCommitted = false
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        if random.chance(0.6) {
          let next = Self.queries.randomElement(using: &random) ?? query
          // A commit in between may be in either result.
          if random.chance(0.3) {
            try writer.commit(store)
            isCommitted = true
          }
          try pair.whole.setQuery(next)
          try pair.indexed.setQuery(next)
          keepsIncluded = false
          query = next
          expectEqual(pair.indexed.query, next, label)
        } else {
          try writer.commit(store)
          isCommitted = true
        }
      }
      if isPaused {
        let shown = try read(pair.indexed)
        expectEqual(shown.count, before.count, "\(label): nothing is shown while it is paused")
        for (old, new) in zip(before, shown) {
          expectTrue(
            new == old || isCommitted && new == nil, "\(label): a row is another one, or missing")
        }
        pair.whole.resume()
        pair.indexed.resume()
      }
      expectEqual(try idList(pair.indexed), idList(pair.whole.snapshot), label)
      expectEqual(
        try read(pair.indexed).compactMap(\.self), try store.fetch(query).map(\.id), label)
      let expected = pair.wholeEvents.values.dropFirst(told).map(\.changes)
      let found = pair.events.values.dropFirst(indexedTold).map(\.changes)
      if keepsIncluded {
        expectEqual(found, expected, label)
      } else if !isPaused {
        // Rows that stay are named without need if the queries include other values.
        let (found, expected) = (found.filter(isMove), expected.filter(isMove))
        expectEqual(found.map(\.inserts), expected.map(\.inserts), label)
        expectEqual(found.map(\.deletes), expected.map(\.deletes), label)
      }
      // More rows may be named as changed than have changed, but never fewer. A row that has left
      // and come back while nothing was shown may be a new one.
      if found.count == 1, expected.count == 1 {
        let named = Set(found.flatMap { $0.updates.map(\.new) + $0.moves.map(\.new) + $0.inserts })
        expectTrue(
          named.isSuperset(of: expected.flatMap { $0.updates.map(\.new) }),
          "\(label): \(found) names less than \(expected)")
      }
      for event in pair.events.values.dropFirst(indexedTold) {
        try event.changes.validate(old: event.before.rowCounts, new: event.after.rowCounts)
      }
    }
    withExtendedLifetime(others) {}
  }

  private func isMove(_ changes: ListChanges) -> Bool {
    !changes.inserts.isEmpty || !changes.deletes.isEmpty
  }

  @Test func `F7: names no row that stays at its place`() throws {
    let store = try TestStorage.file.makeGarage()
    try store.fillGarage()
    let model = try IndexedObjectsModel(Query<Car>().sorted { [$0.id.ascending] }, in: store)
    let events = Recorder(model.didChange)
    let count = model.count
    try model.setQuery(Query<Car>().filter { $0.id > 0 }.sorted { [$0.id.ascending] })
    try model.setQuery(Query<Car>().sorted { [$0.id.descending] })
    #expect(model.count == count)
    #expect(events.values.count == 1)
    #expect(events.values[0].changes.updates.isEmpty && events.values[0].changes.inserts.isEmpty)
    #expect(events.values[0].changes.moves.count == count - 1)
  }

  @Test func `F7: names all rows if it includes other values`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let query = Query<Car>().sorted { [$0.id.ascending] }
    let model = try IndexedObjectsModel(query, in: store)
    let events = Recorder(model.didChange)
    let first = ListPath(section: 0, row: 0)
    _ = try model.view(at: first)
    try model.setQuery(query.including { $0.owner.name })
    #expect(events.values.count == 1)
    #expect(events.values[0].changes.updates.count == model.count)
    let whole = try FetchedObjectsModel(query.including { $0.owner.name }, in: store)
    #expect(try model.view(at: first)?.owner?.name == whole.row(at: first).owner?.name)
  }

  @Test func `F11: that can't be read leaves the model as it was`() throws {
    let store = try TestStorage.file.makeGarage()
    try store.fillGarage()
    let query = Query<Car>().sorted { [$0.id.ascending] }
    let model = try IndexedObjectsModel(query, in: store)
    let events = Recorder(model.didChange)
    #expect(throws: StoreError.self) {
      try model.setQuery(Query<Car>().filter { $0.model.lowercased == "a" })
    }
    #expect(model.query == query)
    let count = model.count
    try store.commit { try $0.insert(Car(id: 900, model: "x", year: 1, owner: nil)) }
    #expect(model.count == count + 1 && events.values.count == 1)
  }

  @Test func `F12: is set without blocking, and only the last of several`() async throws {
    let store = try TestStorage.file.makeGarage()
    try store.fillGarage()
    let model = try IndexedObjectsModel(Query<Car>(), in: store)
    let last = Query<Car>().filter { $0.id == 1 }
    async let first = model.setQueryAsync(Query<Car>().filter { $0.id > 1 })
    _ = try await first
    #expect(try await model.setQueryAsync(last))
    #expect(model.query == last)
    #expect(model.count == 1)
  }
}
