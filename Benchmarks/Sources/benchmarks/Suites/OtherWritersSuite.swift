import CHeap
import CSQLiteBaseline
import Dispatch
import EntityStore
import FetchedObjects
import Foundation
import Relays
import SQLitePersistence

extension BenchmarkSuite {
  /// From the return of a commit elsewhere to its event here; others write now and then, some
  /// milliseconds apart.
  ///
  /// Elsewhere is a second store in this process, which shares nothing with the first but the file.
  static let otherWriters = BenchmarkSuite {
    Benchmark(
      "SQLitePersistence/other-process/1", unit: .milliseconds, absoluteAim: 2,
      measured: .figure {
        let scene = try OtherWriter()
        return { try scene.latencies(201)[100] }
      },
      baseline: .figure("the C API, asking every 2 ms") {
        let scene = try PlainFollower()
        return { try scene.latencies(201)[100] }
      })
    Benchmark(
      "SQLitePersistence/other-process-99-percent/1", unit: .milliseconds, absoluteAim: 20,
      measured: .figure {
        let scene = try OtherWriter()
        return { try scene.latencies(201)[198] }
      },
      baseline: .figure("the C API, asking every 2 ms") {
        let scene = try PlainFollower()
        return { try scene.latencies(201)[198] }
      })
    // A tool changes each of a million rows, and a store with a window finds that out.
    Benchmark(
      "SQLitePersistence/foreign-million/1", size: 1, unit: .bytes, absoluteAim: 60e6,
      measured: .figure {
        let file = try FileOfItems(1_000_000)
        var turn = 0
        return {
          turn += 1
          let store = try file.store(watching: .none)
          let model = try FetchedObjectsModel(
            Query<Item>().sorted { [$0.id.descending] }.limit(50), in: store)
          try file.write("UPDATE Item SET number = number + 1")
          let before = memory_peak_reset()
          try store.refresh()
          let after = memory_peak()
          guard model.fetchedObjects[0].number == 999_999 + turn else {
            throw BenchmarkError.wrong("the model shows an old object")
          }
          return Double(after) - Double(before)
        }
      },
      baseline: .figure("an array of the items") {
        {
          let before = memory_peak_reset()
          let items = Item.many(1_000_000)
          return withExtendedLifetime(items) { Double(memory_peak()) - Double(before) }
        }
      })
  }
}

/// Waits up to 8 milliseconds, each time another time.
private func pause(_ number: Int) { usleep(UInt32((number &* 2_654_435_761) & 0x1FFF)) }

/// A store that commits, and one that is told.
private final class OtherWriter {
  private let folder: TemporaryFolder
  private let here: Store
  private let there: Store
  private let token: SubscriptionToken
  private let told = DispatchSemaphore(value: 0)
  private var number = 0

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.freshPath()
    here = try Store(.sqlite(path: path, durability: .normal), entities: [Item.self])
    there = try Store(
      .sqlite(path: path, durability: .normal, watching: .none), entities: [Item.self])
    let told = told
    token = here.changes(of: Item.self).subscribe { _ in told.signal() }
  }

  /// How many milliseconds it took each time, in order of size.
  func latencies(_ count: Int) throws -> [Double] {
    try (0..<count).map { _ in
      number += 1
      pause(number)
      try there.commit { try $0.upsert(Item(id: 0, name: "", number: number)) }
      let start = MonotonicClock.system.now()
      told.wait()
      return Double(MonotonicClock.system.now() - start) / 1e6
    }
    .sorted()
  }
}

/// The least that can be done without a notice of the system's: a thread that asks SQLite's number.
private final class PlainFollower {
  private let folder: TemporaryFolder
  private let store: Store
  private let path: String
  private let told = DispatchSemaphore(value: 0)
  private var number = 0

  init() throws {
    folder = try TemporaryFolder()
    path = folder.freshPath()
    store = try Store(
      .sqlite(path: path, durability: .normal, watching: .none), entities: [Item.self])
    let (path, told) = (path, told)
    Thread.detachNewThread { Self.follow(path, told) }
    told.wait()
  }

  private static func follow(_ path: String, _ told: DispatchSemaphore) {
    var handle: OpaquePointer?
    var statement: OpaquePointer?
    sqlite3_open(path, &handle)
    sqlite3_prepare_v2(handle, "PRAGMA data_version", -1, &statement, nil)
    var last: Int64 = -1
    // Until the file has gone.
    while FileManager.default.fileExists(atPath: path) {
      sqlite3_step(statement)
      let version = sqlite3_column_int64(statement, 0)
      sqlite3_reset(statement)
      if version != last { told.signal() }
      last = version
      usleep(2_000)
    }
    sqlite3_finalize(statement)
    sqlite3_close(handle)
  }

  func latencies(_ count: Int) throws -> [Double] {
    try (0..<count).map { _ in
      number += 1
      pause(number)
      try store.commit { try $0.upsert(Item(id: 0, name: "", number: number)) }
      let start = MonotonicClock.system.now()
      told.wait()
      return Double(MonotonicClock.system.now() - start) / 1e6
    }
    .sorted()
  }
}
