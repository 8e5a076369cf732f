import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import TestSupport
import Testing

private let ships: [Query<Ship>] = [
  Query<Ship>(),
  Query<Ship>().sorted { [$0.berth.descending, $0.weight.ascending] },
  Query<Ship>().filter { $0.berth < 12 }.sorted { [$0.rowid.descending] },
  Query<Ship>().sorted { [$0.line.port.name.descending, $0.weight.descending] }
    .sectioned { $0.line.port.name }
    .including { $0.line.port.name },
  Query<Ship>().sorted { [$0.line.port.name.ascending] }
    .sectioned(
      by: { $0.line.id }, title: { $0.line.port.name }, order: { $0.line.port.name.descending }),
]

private let parcels: [Query<Parcel>] = [
  Query<Parcel>(),
  Query<Parcel>().sorted { [$0.label.ascending] },
  Query<Parcel>().sectioned { $0.label },
]

private let crates: [Query<Crate>] = [
  Query<Crate>(), Query<Crate>().sorted { [$0.isFull.descending] },
  Query<Crate>().sectioned { $0.isFull },
]

@Suite(.oneThread) struct IndexedHarbourTests {
  /// Follows the queries of one entity through random commits.
  private func follow<E: Entity>(
    _ queries: [Query<E>], _ storage: TestStorage, seed: UInt64, pauses: Bool
  ) throws -> Int {
    let store = try storage.makeHarbour()
    var writer = HarbourWriter(random: SeededGenerator(seed: seed))
    for _ in 0..<3 { try writer.commit(store) }
    let pairs = try queries.map { try IndexedPair($0, in: store) }
    for step in 0..<20 {
      let told = pairs.map(\.wholeEvents.values.count)
      if pauses {
        for pair in pairs {
          pair.whole.pause()
          pair.indexed.pause()
        }
        for _ in 0..<step % 6 { try writer.commit(store) }
      }
      try writer.commit(store)
      for (place, pair) in pairs.enumerated() {
        if pauses {
          // Each row that is shown is the one that was, or has gone.
          let here = Set(try store.fetch(Query<E>()).map(\.id))
          for (section, list) in idList(pair.whole.snapshot).enumerated() {
            for (row, id) in list.rows.enumerated() {
              let path = ListPath(section: section, row: row)
              let expected = id.flatMap { here.contains($0) ? $0 : nil }
              #expect(try pair.indexed.id(at: path) == expected, "query \(place), seed \(seed)")
            }
          }
          pair.whole.resume()
          pair.indexed.resume()
        }
        try pair.check(told: told[place], "query \(place), seed \(seed), step \(step)")
      }
    }
    return pairs.reduce(0) { $0 + $1.events.values.count }
  }

  @Test(arguments: TestStorage.withServer, [false, true])
  func `F7: rows are followed exactly, however storages number and renumber them`(
    _ storage: TestStorage, _ pauses: Bool
  ) throws {
    var events = 0
    for seed in seeds(storage == .memory ? 25 : 4).map(UInt64.init) {
      events += try follow(ships, storage, seed: seed, pauses: pauses)
      events += try follow(parcels, storage, seed: seed, pauses: pauses)
      events += try follow(crates, storage, seed: seed, pauses: pauses)
    }
    #expect(events > 100)
  }
}
