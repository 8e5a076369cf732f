import CSQLiteBaseline
import EntityStore
import FetchedObjects
import Relays
import SQLitePersistence

/// What writing to a file costs, against the C API with prepared statements.
///
/// Both sides write the same rows, and as many bytes to the log, in the same transactions.
extension BenchmarkSuite {
  static let sqlitePersistence = BenchmarkSuite {
    for count in [1000, 100_000] {
      Benchmark(
        "SQLitePersistence/insert-bulk/\(count)", aim: 1.3,
        measured: .timed {
          let folder = try TemporaryFolder()
          let items = Item.many(count)
          return { stopwatch in
            let store = try Store(
              .sqlite(path: folder.freshPath(), durability: .normal), entities: [Item.self])
            // As on the other side, what is prepared once is prepared before.
            try store.commit { try $0.insert(Item(id: -1, name: "", number: 0)) }
            try stopwatch.measure(operations: count) {
              try store.commit { draft in for item in items { try draft.insert(item) } }
            }
          }
        },
        baseline: .timed("the C API") {
          let folder = try TemporaryFolder()
          let items = Item.many(count)
          let payload = try FileOfItems(count).payload { store in
            try store.commit { try $0.deleteAll(Item.self) }
            try store.commit { try $0.insert(contentsOf: items) }
          }
          return { stopwatch in
            let database = try SQLiteItems(path: folder.freshPath())
            database.payload = payload
            try database.insert([Item(id: -1, name: "", number: 0)])
            try stopwatch.measure(operations: count) { try database.insert(items) }
          }
        })
    }
    let quickDisk = KnownMiss(
      2.2, "beside a sync of a tenth of a millisecond the rest of a commit is seen")
    for (durability, aim, known) in [
      (Durability.normal, 1.5, nil), (.full, 1.1, quickDisk),
    ] {
      Benchmark(
        "SQLitePersistence/commit-1-\(durability)/100000", unit: .microseconds, aim: aim,
        knownMiss: known,
        measured: .loop { try commits(of: 1, durability) },
        baseline: .loop("the C API") { try plainCommits(of: 1, durability) })
    }
    Benchmark(
      "SQLitePersistence/commit-1000-normal/100000", unit: .microseconds, aim: 1.4,
      measured: .loop(operations: 1000) { try commits(of: 1000, .normal) },
      baseline: .loop("the C API", operations: 1000) { try plainCommits(of: 1000, .normal) })
    Benchmark(
      "SQLitePersistence/commit-1-observed/100000", unit: .microseconds, aim: 1.5,
      measured: .loop {
        let file = try FileOfItems(100_000)
        let store = try file.store()
        let model = try FetchedObjectsModel(Query<Item>().sorted { [$0.name.ascending] }, in: store)
        let token = model.didChange.subscribe { blackHole($0.changes) }
        return countingUp(1, of: file, store, keeping: (model, token))
      },
      baseline: .loop("unwatched") { try commits(of: 1, .normal) })
  }
}

/// Commits that each count some items up, one after the other.
private func commits(of size: Int, _ durability: Durability) throws -> (Int) throws -> Void {
  let file = try FileOfItems(100_000)
  return countingUp(size, of: file, try file.store(durability))
}

private func countingUp(
  _ size: Int, of file: FileOfItems, _ store: Store, keeping kept: Any = ()
) -> (Int) throws -> Void {
  var turn = 0
  return { iterations in
    for _ in 0..<iterations {
      let start = turn * size % file.count
      try store.commit { draft in
        for id in start..<start + size { try draft.update(Item.self, id) { $0.number &+= 1 } }
      }
      turn += 1
    }
    withExtendedLifetime((file, kept)) {}
  }
}

/// The same through the C API.
private func plainCommits(of size: Int, _ durability: Durability) throws -> (Int) throws -> Void {
  let file = try FileOfItems(100_000)
  let payload = try file.payload { store in
    try store.commit { draft in
      for id in 0..<size { try draft.update(Item.self, id) { $0.number &+= 1 } }
    }
  }
  let database = try SQLiteItems(path: file.path, durability: durability)
  database.payload = payload
  var turn = 0
  return { iterations in
    for _ in 0..<iterations {
      let start = turn * size % file.count
      try database.countUp(start..<start + size)
      turn += 1
    }
    withExtendedLifetime(file) {}
  }
}
