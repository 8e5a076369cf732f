@testable import EntityStore
import FetchedObjects
import ListDiffing
import Locking
import Relays
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `Windows of index-only lists follow external commits` {
  private let byModel = Query<Car>().sorted { [$0.model.ascending] }

  private func ids(_ model: IndexedObjectsModel<Car>) throws -> [Int?] {
    try model.sections.enumerated().flatMap { section, info in
      try (0..<info.count).map { try model.id(at: ListPath(section: section, row: $0)) }
    }
  }

  @Test(arguments: seeds(40))
  func `P5, F7: with valid events, also while windows move and the model is paused`(
    _ seed: Int
  ) throws {
    let stores = try TwoStores()
    var random = SeededGenerator(seed: seed)
    var writes = ForeignWrites(seed: seed + 1000)
    var query = byModel.sectioned { $0.owner.name }.limit(4, offset: 2)
    let model = try IndexedObjectsModel(query, in: stores.here)
    let events = Recorder(model.didChange)
    var counts = model.snapshot.rowCounts
    for step in 0..<20 {
      let told = events.values.count
      let isPaused = random.chance(0.3)
      if isPaused { model.pause() }
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        if random.chance(0.3) {
          let (offset, limit) = (
            Int.random(in: 0...4, using: &random), Int.random(in: 0...6, using: &random)
          )
          try model.setWindow(offset: offset, limit: limit)
          query = model.query
        } else {
          try writes.commit(to: random.chance(0.7) ? stores.there : stores.here)
        }
        if random.chance(0.5) { try stores.here.refresh() }
      }
      try stores.here.refresh()
      if isPaused { model.resume() }
      let trace = "seed \(seed), step \(step)"
      expectEqual(try ids(model), try stores.here.fetch(query).map(\.id), trace)
      for event in events.values.dropFirst(told) {
        expectEqual(event.before.rowCounts, counts, trace)
        counts = event.after.rowCounts
        try event.changes.validate(old: event.before.rowCounts, new: counts)
      }
      expectEqual(model.snapshot.rowCounts, counts, trace)
    }
  }

  @Test func `P5: another query names the rows of a commit that couldn't be merged before`() throws
  {
    let path = temporaryPath()
    let here = try Store(
      .sqlite(path: path, watching: .none, busyTimeout: .seconds(600)),
      entities: [Person.self, Car.self])
    try here.commit { draft in
      for id in 1...5 { try draft.insert(Car(id: id, model: "m\(id)")) }
    }
    let raw = try RawDatabase(path)
    let model = try IndexedObjectsModel(Query<Car>().sorted { [$0.id.ascending] }, in: here)
    let named = Recorder(model.didChange.map { Set($0.changes.updates.map(\.new.row)) })
    try raw.rows("UPDATE Car SET model = 'other' WHERE id = 3")
    // A commit that waits for the file keeps `setQuery` from merging the tool's one.
    try raw.rows("BEGIN IMMEDIATE")
    let commit = TestThread { try? here.commit { try $0.insert(Car(id: 6, model: "m6")) } }
    while here.writer.lockHereIfFree() {
      here.writer.unlockHere()
      CurrentThread.yield()
    }
    try model.setQuery(Query<Car>().filter { $0.id > 1 }.sorted { [$0.id.ascending] })
    try raw.rows("ROLLBACK")
    commit.join()
    #expect(model.count == 5)
    #expect(named.values.contains { $0.contains(1) })
  }
}
