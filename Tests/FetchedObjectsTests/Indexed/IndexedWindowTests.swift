@_spi(Storage) import EntityStore
@testable @_spi(Inspection) import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Observation
import Relays
import TestSupport
import Testing

@Suite(.oneThread) struct `A window of an index-only list` {
  /// A store in which several commits have been made.
  private func garage(
    _ storage: TestStorage, _ seed: Int
  ) throws -> (store: Store, writer: RandomWriter) {
    let store = try storage.makeGarage()
    var writer = RandomWriter(random: SeededGenerator(seed: UInt64(seed) + 500))
    for _ in 0..<3 { try writer.commit(store) }
    return (store, writer)
  }

  @Test(arguments: TestStorage.withServer, seeds(20))
  func `F7: publishes and shows what a window with objects does, commit by commit`(
    _ storage: TestStorage, _ seed: Int
  ) throws {
    var (store, writer) = try garage(storage, seed)
    var random = SeededGenerator(seed: seed)
    var pairs = try OracleQuery.all.map { oracle in
      (oracle.name, try IndexedPair(oracle.query.limit(4, offset: seed % 5), in: store))
    }
    for step in 0..<20 {
      let counts = pairs.map { $1.wholeEvents.values.count }
      let isMoving = random.chance(0.3)
      for place in pairs.indices where isMoving {
        try pairs[place].1.setWindow(.random(using: &random))
      }
      if !isMoving { try writer.commit(store) }
      for ((name, pair), count) in zip(pairs, counts) {
        try pair.check(
          told: count, comparesVersions: !isMoving, "\(name), seed \(seed), step \(step)")
      }
    }
  }

  @Test(arguments: TestStorage.withServer, seeds(20))
  func `F6: changes of it, of the query and of objects while paused are one event`(
    _ storage: TestStorage, _ seed: Int
  ) throws {
    var (store, writer) = try garage(storage, seed)
    var random = SeededGenerator(seed: seed)
    for oracle in OracleQuery.all {
      var pair = try IndexedPair(oracle.query.limit(5), in: store)
      for round in 0..<6 {
        let trace = "\(oracle.name), seed \(seed), round \(round)"
        let count = pair.wholeEvents.values.count
        let before = try idList(pair.indexed)
        pair.whole.pause()
        pair.indexed.pause()
        for _ in 0..<Int.random(in: 0...5, using: &random) {
          if random.chance(0.4) {
            try pair.setWindow(.random(using: &random))
          } else {
            try writer.commit(store)
          }
          let here = Set(try store.fetch(Query<Car>()).map(\.id))
          let expected = before.flatMap(\.rows).map { id in
            id.flatMap { here.contains($0) ? $0 : nil }
          }
          #expect(try idList(pair.indexed).flatMap(\.rows) == expected, "\(trace): paused")
        }
        pair.whole.resume()
        pair.indexed.resume()
        try pair.check(told: count, comparesVersions: false, trace)
      }
    }
  }

  @Test(arguments: TestStorage.withServer, seeds(20))
  func `F7: stays exact with another query`(_ storage: TestStorage, _ seed: Int) throws {
    var (store, writer) = try garage(storage, seed)
    var random = SeededGenerator(seed: seed)
    // Queries that include nothing, so that both models name the same rows.
    let queries = [
      Query<Car>(), Query<Car>().sorted { [$0.model.descending] },
      Query<Car>().filter { $0.year > 2001 }.sorted { [$0.year.descending] },
      Query<Car>().sorted { [$0.owner.name.ascending] }.sectioned { $0.year },
    ]
    var pair = try IndexedPair(queries[0].limit(3), in: store)
    for step in 0..<20 {
      let count = pair.wholeEvents.values.count
      if random.chance(0.5), let next = queries.randomElement(using: &random) {
        let limit = Int.random(in: 0...6, using: &random)
        try pair.setQuery(
          random.chance(0.5)
            ? next.limit(limit, offset: Int.random(in: 0...4, using: &random)) : next.last(limit))
      } else {
        try writer.commit(store)
      }
      try pair.check(told: count, comparesVersions: false, "seed \(seed), step \(step)")
    }
  }

  @Test func `F7: moves without reading a row or the order again`() throws {
    let store = try TestStorage.file.makeGarage()
    try store.commit { draft in
      try draft.insert(
        contentsOf: (0..<1000).map { Car(id: $0, model: "m", year: $0, owner: nil) })
    }
    let query = Query<Car>().sorted { [$0.id.ascending] }
    let model = try IndexedObjectsModel(query.limit(10), in: store)
    let events = Recorder(model.didChange)
    let work = model.work
    try model.setWindow(offset: 5, limit: 10)
    try model.setWindow(last: 10)
    #expect(model.work == work)
    #expect(events.values.map(\.changes.count) == [10, 20])
    #expect(model.snapshot.rowsBefore == 990)
    #expect(try model.object(at: ListPath(section: 0, row: 9))?.id == 999)
    #expect(try model.path(for: 999) == ListPath(section: 0, row: 9))
    #expect(try model.path(for: 989) == nil)
    // A change outside makes no event, and a subscriber learns nothing of it.
    try store.commit { try $0.delete(Car.self, 3) }
    #expect(events.values.count == 2)
    #expect(model.snapshot.rowsBefore == 989 && model.snapshot.totalCount == 999)
    // The whole list again.
    try model.setQuery(query)
    #expect(model.count == 999 && events.values.count == 3)
  }

  @Test func `F9: readers of the number of rows before it are notified of changes before it`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      try draft.insert(
        contentsOf: (0..<30).map { Car(id: $0, model: "m", year: $0, owner: nil) })
    }
    let query = Query<Car>().sorted { [$0.id.ascending] }.last(10)
    let model = try IndexedObjectsModel(query, in: store)
    let events = Recorder(model.didChange)
    let notified = Counter()
    func read() {
      withObservationTracking {
        _ = model.snapshot.rowsBefore
      } onChange: {
        notified.add()
      }
    }
    read()
    try store.commit { try $0.update(Car.self, 1) { $0.model = "other" } }
    #expect(notified.value == 0)
    try store.commit { try $0.delete(Car.self, 0) }
    #expect(notified.value == 1 && events.values.isEmpty)
    #expect(model.snapshot.rowsBefore == 19)
  }

  @Test func `F7: moves without a read although another model has read the order again`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit { draft in
      try draft.insert(Person(id: 1, name: "Ann", age: 30))
      try draft.insert(
        contentsOf: (0..<20).map { Car(id: $0, model: "m", year: $0, owner: Ref(1)) })
    }
    let query = Query<Car>().sorted { [$0.owner.name.ascending] }
    let model = try IndexedObjectsModel(query.limit(10), in: store)
    storage.isFailing.store(1)
    try store.commit { try $0.update(Car.self, 1) { $0.year = 100 } }
    storage.isFailing.store(0)
    #expect(model.error != nil)
    // The order is read for a second model, and both follow it.
    let other = try IndexedObjectsModel(query, in: store)
    try store.commit { try $0.update(Car.self, 1) { $0.year = 101 } }
    #expect(model.error == nil)
    let events = Recorder(model.didChange)
    model.pause()
    try store.commit { try $0.update(Car.self, 2) { $0.model = "n" } }
    let fetches = model.work.fetches
    try model.setWindow(offset: 1, limit: 10)
    #expect(model.work.fetches == fetches)
    model.resume()
    #expect(events.values.map { $0.changes.updates.count } == [1])
    #expect(events.values.map { $0.changes.count } == [3])
    withExtendedLifetime(other) {}
  }

  @Test func `F6: is set without blocking, and not if a later request replaces it`() async throws {
    let store = try TestStorage.file.makeGarage()
    try store.fillGarage()
    let model = try IndexedObjectsModel(Query<Car>(), in: store)
    #expect(try await model.setWindowAsync(offset: 1, limit: 2))
    #expect(model.count == 2 && model.snapshot.rowsBefore == 1)
    #expect(model.query == Query<Car>().limit(2, offset: 1))
    #expect(try await model.setWindowAsync(last: 2, offset: 1))
    #expect(model.count == 2 && model.snapshot.rowsBefore == 1 && model.snapshot.rowsAfter == 1)
    #expect(model.query == Query<Car>().last(2, offset: 1))
    #expect(try await model.setWindowAsync(last: 2))
    #expect(model.count == 2 && model.snapshot.rowsAfter == 0)
    let replaced = try model.follower.setQuery(
      { Query<Car>().limit(1).description }, unless: { true }, note: {})
    #expect(!replaced && model.count == 2)
  }
}
