import EntityStore
import FetchedObjects
import ListDiffing
import Relays
import SQLitePersistence
import TestSupport
import Testing

/// What a list of ids shows: the sections with their identities and titles, and the ids in them.
typealias IDList = [ListSection<IDListHeader, Int>]

struct IDListHeader: Hashable, Sendable {
  let identity: StoredValue
  let title: String
}

/// What an index-only model shows, its ids read one path at a time.
func idList<E: Entity>(_ model: IndexedObjectsModel<E>) throws -> [ListSection<IDListHeader, Int?>]
where E.ID == Int {
  try model.sections.enumerated().map { section, info in
    ListSection(
      header: IDListHeader(identity: info.identity, title: info.name),
      rows: try (0..<info.count).map { try model.id(at: ListPath(section: section, row: $0)) })
  }
}

func idList<E: Entity>(_ snapshot: FetchedObjectsSnapshot<E>) -> [ListSection<IDListHeader, Int?>]
where E.ID == Int {
  snapshot.sections.map { section in
    ListSection(
      header: IDListHeader(identity: section.identity, title: section.name),
      rows: section.map { $0.id })
  }
}

/// Follows a query with both kinds of model, which must tell the same and show the same.
struct IndexedPair<E: Entity> where E.ID == Int {
  let whole: FetchedObjectsModel<E>
  let indexed: IndexedObjectsModel<E>
  let wholeEvents: Recorder<FetchedObjectsEvent<E>>
  let events: Recorder<IndexedObjectsEvent>
  let store: Store
  let query: Query<E>

  init(
    _ query: Query<E>, in store: Store, policy: DeliveryPolicy? = nil, cacheCapacity: Int = 4
  ) throws {
    self.store = store
    self.query = query
    whole = try FetchedObjectsModel(query, in: store, policy: policy)
    indexed = try IndexedObjectsModel(
      query, in: store, policy: policy, cacheCapacity: cacheCapacity, batchSize: 2)
    wholeEvents = Recorder(whole.didChange)
    events = Recorder(indexed.didChange)
  }

  /// Compares what is shown, and what has been told since `told` events.
  func check(told: Int, _ trace: String) throws {
    let shown = try idList(indexed)
    #expect(shown == idList(whole.snapshot), "\(trace): what is shown")
    #expect(indexed.count == whole.snapshot.count, "\(trace): count")
    let fresh = try store.fetch(query).map(\.id)
    #expect(shown.flatMap { $0.rows } == fresh, "\(trace): fetch")
    let expected = wholeEvents.values.dropFirst(told)
    let found = events.values.dropFirst(told)
    #expect(found.map(\.changes) == expected.map(\.changes), "\(trace): changes")
    #expect(found.map(\.versions) == expected.map(\.versions), "\(trace): versions")
    for (event, other) in zip(found, expected) {
      #expect(event.before.rowCounts == other.before.rowCounts, "\(trace): before")
      #expect(event.after.rowCounts == other.after.rowCounts, "\(trace): after")
      #expect(
        event.after.sections.map(\.name) == other.after.sections.map(\.name), "\(trace): titles")
      try event.changes.validate(old: event.before.rowCounts, new: event.after.rowCounts)
    }
    for (section, list) in shown.enumerated() {
      for (row, id) in list.rows.enumerated() {
        let path = try id.flatMap { try indexed.path(for: $0) }
        #expect(path == ListPath(section: section, row: row), "\(trace): path of \(id ?? -1)")
      }
    }
  }
}

/// Further queries, whose rows tie in every way.
private let moreQueries: [(name: String, query: Query<Car>)] = [
  ("by id", Query<Car>()),
  ("one tie", Query<Car>().filter { $0.year > 2001 }.sorted { [$0.owner.age.descending] }),
  (
    "long texts",
    Query<Car>().sorted { [$0.owner.name.ascending, $0.year.descending] }
      .sectioned { $0.year }
  ),
  ("by a count", Query<Car>().filter { $0.owner.cars.count > 1 }.sorted { [$0.model.ascending] }),
]

@Suite struct IndexedOracleTests {
  @Test(arguments: TestStorage.allCases)
  func `F7: an index-only result tells and shows what a whole one does, commit by commit`(
    _ storage: TestStorage
  ) throws {
    var events = 0
    let queries = OracleQuery.all.map { ($0.name, $0.query) } + moreQueries
    for seed in 0..<(storage == .memory ? 30 : 4) {
      let store = try storage.makeGarage()
      var writer = RandomWriter(random: SeededGenerator(seed: UInt64(seed) + 77))
      for _ in 0..<3 { try writer.commit(store) }
      let pairs = try queries.map { ($0.0, try IndexedPair($0.1, in: store)) }
      for step in 0..<25 {
        let told = pairs.map { $1.wholeEvents.values.count }
        if step % 5 == 4 {
          // A commit that comes to nothing leaves nothing behind.
          try? store.commit { draft in
            try draft.upsert(Car(id: 50, model: "A", year: 2005, owner: nil))
            throw CancellationError()
          }
        }
        try writer.commit(store)
        for ((name, pair), told) in zip(pairs, told) {
          try pair.check(told: told, "\(name), seed \(seed), step \(step)")
        }
      }
      events += pairs.reduce(0) { $0 + $1.1.events.values.count }
    }
    #expect(events > 200)
  }

  @Test(arguments: TestStorage.allCases)
  func `F6: what is merged while paused is the exact net difference`(
    _ storage: TestStorage
  ) throws {
    let queries = OracleQuery.all.map { ($0.name, $0.query) } + moreQueries
    for seed in 0..<(storage == .memory ? 30 : 4) {
      let store = try storage.makeGarage()
      var random = SeededGenerator(seed: UInt64(seed) + 7)
      var writer = RandomWriter(random: SeededGenerator(seed: UInt64(seed) + 770))
      for _ in 0..<3 { try writer.commit(store) }
      let pairs = try queries.map { ($0.0, try IndexedPair($0.1, in: store)) }
      for round in 0..<6 {
        let told = pairs.map { $1.wholeEvents.values.count }
        let before = try pairs.map { try idList($1.indexed) }
        for (_, pair) in pairs {
          pair.whole.pause()
          pair.indexed.pause()
        }
        for _ in 0..<Int.random(in: 0...8, using: &random) {
          try writer.commit(store)
          for (place, (name, pair)) in pairs.enumerated() {
            // What is shown is as it was, but for what has gone.
            let here = Set(try store.fetch(Query<Car>()).map(\.id))
            let expected = before[place].flatMap(\.rows).map { id in
              id.flatMap { here.contains($0) ? $0 : nil }
            }
            #expect(
              try idList(pair.indexed).flatMap(\.rows) == expected, "\(name), seed \(seed): paused")
            for (section, list) in before[place].enumerated() {
              for (row, id) in list.rows.enumerated() {
                guard let id else { continue }
                #expect(
                  try pair.indexed.path(for: id) == ListPath(section: section, row: row),
                  "\(name), seed \(seed): path while paused")
              }
            }
          }
        }
        for ((name, pair), told) in zip(pairs, told) {
          pair.whole.resume()
          pair.indexed.resume()
          try pair.check(told: told, "\(name), seed \(seed), round \(round)")
        }
      }
    }
  }
}
