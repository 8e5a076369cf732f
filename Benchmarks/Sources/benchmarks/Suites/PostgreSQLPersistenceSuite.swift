#if PostgreSQL
import Dispatch
import EntityStore
import FetchedObjects
import Foundation
import PostgreSQLPersistence
import Relays

/// What writing to a server costs, against libpq with prepared statements.
///
/// Both sides write the same rows, and as many bytes to the log, in the same transactions, on a socket
/// of the same machine.
extension BenchmarkSuite {
  static let postgreSQLPersistence = BenchmarkSuite {
    for durability in [ServerDurability.full, .normal] {
      Benchmark(
        "PostgreSQLPersistence/commit-1-\(durability)/1", unit: .microseconds, aim: 1.5,
        measured: .loop { try commits(of: 1, durability) },
        baseline: .loop("libpq") { try plainCommits(of: 1, durability) })
    }
    Benchmark(
      "PostgreSQLPersistence/commit-1000/1", unit: .microseconds, aim: 1.5,
      measured: .loop(operations: 1000) { try commits(of: 1000, .normal) },
      baseline: .loop("libpq", operations: 1000) { try plainCommits(of: 1000, .normal) })
    Benchmark(
      "PostgreSQLPersistence/insert-bulk/100000", aim: 1.5,
      measured: .timed {
        let items = Item.many(100_000)
        return { stopwatch in
          let store = try ServerOfItems(0).store()
          try store.commit { try $0.insert(Item(id: -1, name: "", number: 0)) }
          try stopwatch.measure(operations: items.count) {
            try store.commit { draft in for item in items { try draft.insert(item) } }
          }
        }
      },
      baseline: .timed("COPY") {
        let items = Item.many(100_000)
        return { stopwatch in
          let server = try ServerOfItems(0)
          let payload = try server.payload { store in
            try store.commit { try $0.insert(contentsOf: items) }
            try store.commit { try $0.deleteAll(Item.self) }
            try store.commit { try $0.insert(contentsOf: items) }
          }
          let other = try ServerOfItems(0)
          let database = try PostgreSQLItems(other)
          database.payload = payload
          try stopwatch.measure(operations: items.count) { try database.copy(items) }
        }
      })
    Benchmark(
      "PostgreSQLPersistence/observed/100000", unit: .microseconds, aim: 1.5,
      measured: .loop {
        let server = try ServerOfItems(100_000)
        let store = try server.store()
        let model = try FetchedObjectsModel(Query<Item>().sorted { [$0.name.ascending] }, in: store)
        let token = model.didChange.subscribe { blackHole($0.changes) }
        return countingUp(1, of: server, store, keeping: (model, token))
      },
      baseline: .loop("unwatched") { try commits(of: 1, .normal, among: 100_000) })
    let quickDisk = KnownMiss(1.2, "where a sync takes little there is little to share")
    for (name, delay, known) in [
      ("group-commit", 0, quickDisk), ("group-commit-slow-disk", 2000, nil),
    ] {
      Benchmark(
        "PostgreSQLPersistence/\(name)/8writers", size: 8, unit: .microseconds, aim: 0.4,
        knownMiss: known,
        measured: .timed {
          let scene = try serverWriters(8, delay)
          return { stopwatch in try scene.commit(800, &stopwatch) }
        },
        baseline: .timed("one writer") {
          let scene = try serverWriters(1, delay)
          return { stopwatch in try scene.commit(800, &stopwatch) }
        })
    }
    for count in [1, 2, 4, 8] {
      Benchmark(
        "PostgreSQLPersistence/commits-by-processes/\(count)", size: count, unit: .microseconds,
        measured: .figure {
          let scene = try CommittingProcesses(count)
          return { try scene.timeOfCommit() }
        },
        baseline: .figure("libpq, one process") {
          let commit = try plainCommits(of: 1, .full)
          return {
            let start = MonotonicClock.system.now()
            try commit(500)
            return Double(MonotonicClock.system.now() - start) / 1e3 / 500
          }
        })
    }
    Benchmark(
      "PostgreSQLPersistence/other-process/1", unit: .milliseconds, absoluteAim: 3,
      measured: .figure {
        let scene = try OtherServerWriter()
        return { try scene.latencies(201)[100] }
      },
      baseline: .figure("half a look, without a notification") { { 250 } })
  }
}

/// Commits that each count some items up, one after the other.
private func commits(
  of size: Int, _ durability: ServerDurability, among count: Int = 10_000
) throws -> (Int) throws -> Void {
  let server = try ServerOfItems(count)
  return countingUp(size, of: server, try server.store(durability))
}

private func countingUp(
  _ size: Int, of server: ServerOfItems, _ store: Store, keeping kept: Any = ()
) -> (Int) throws -> Void {
  var turn = 0
  return { iterations in
    for _ in 0..<iterations {
      let start = turn * size % server.count
      try store.commit { draft in
        for id in start..<start + size { try draft.update(Item.self, id) { $0.number &+= 1 } }
      }
      turn += 1
    }
    withExtendedLifetime(kept) {}
  }
}

/// The same through libpq.
private func plainCommits(
  of size: Int, _ durability: ServerDurability
) throws -> (Int) throws -> Void {
  let server = try ServerOfItems(10_000)
  let payload = try server.payload { store in
    try store.commit { draft in
      for id in 0..<size { try draft.update(Item.self, id) { $0.number &+= 1 } }
    }
  }
  let database = try PostgreSQLItems(server, isSynchronous: durability == .full)
  database.payload = payload
  var turn = 0
  return { iterations in
    for _ in 0..<iterations {
      let start = turn * size % server.count
      try database.countUp(start..<start + size)
      turn += 1
    }
  }
}

/// Threads that commit to one schema.
///
/// With a delay, each write to the disk takes so many microseconds more.
private func serverWriters(_ count: Int, _ delay: Int) throws -> Writers {
  Writers(
    count,
    try ServerOfItems(10_000).store(
      .full, "options='-c commit_delay=\(delay) -c commit_siblings=0'"))
}

/// A store that commits, and one that is told; they share nothing but the server.
private final class OtherServerWriter {
  private let here: Store
  private let there: Store
  private let token: SubscriptionToken
  private let told = DispatchSemaphore(value: 0)
  private var number = 0

  init() throws {
    let server = try ServerOfItems(0)
    (here, there) = (try server.store(), try server.store())
    let told = told
    token = here.changes(of: Item.self).subscribe { _ in told.signal() }
  }

  /// How many milliseconds it took each time, in order of size.
  func latencies(_ count: Int) throws -> [Double] {
    try (0..<count).map { _ in
      number += 1
      usleep(UInt32((number &* 2_654_435_761) & 0x1FFF))
      try there.commit { try $0.upsert(Item(id: 0, name: "", number: number)) }
      let start = MonotonicClock.system.now()
      told.wait()
      return Double(MonotonicClock.system.now() - start) / 1e6
    }
    .sorted()
  }
}
#endif
