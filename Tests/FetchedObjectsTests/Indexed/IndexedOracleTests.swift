@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import TestSupport
import Testing

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

@Suite(.oneThread) struct IndexedOracleTests {
  @Test(arguments: TestStorage.withServer)
  func `F7: an index-only result publishes and shows what a whole one does, commit by commit`(
    _ storage: TestStorage
  ) throws {
    var events = 0
    let queries = OracleQuery.all.map { ($0.name, $0.query) } + moreQueries
    let worlds = seeds(storage == .memory ? 30 : 4)
    for seed in worlds {
      let faulty = try seed % 2 == 0 ? FaultyStorage(storage.makeStorage()) : nil
      let store = try faulty?.makeGarage() ?? storage.makeGarage()
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
        if step % 5 == 2 { faulty?.failCommit(of: writer, in: store) }
        try writer.commit(store)
        for ((name, pair), told) in zip(pairs, told) {
          try pair.check(told: told, "\(name), seed \(seed), step \(step)")
        }
      }
      events += pairs.reduce(0) { $0 + $1.1.events.values.count }
    }
    #expect(events > worlds.count * 50)
  }

  @Test(arguments: TestStorage.withServer)
  func `F6: what is merged while paused is the exact net difference`(
    _ storage: TestStorage
  ) throws {
    let queries = OracleQuery.all.map { ($0.name, $0.query) } + moreQueries
    for seed in seeds(storage == .memory ? 30 : 4) {
      let faulty = try seed % 2 == 0 ? FaultyStorage(storage.makeStorage()) : nil
      let store = try faulty?.makeGarage() ?? storage.makeGarage()
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
          if random.chance(0.2) { faulty?.failCommit(of: writer, in: store) }
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
