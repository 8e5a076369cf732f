import CHeap
import CSQLiteBaseline
import EntityStore
import FetchedObjects
import ListDiffing
import Relays
import SQLitePersistence

/// What reading from a file costs, against the C API with prepared statements.
extension BenchmarkSuite {
  static let sqlitePersistenceReading = BenchmarkSuite {
    Benchmark(
      "SQLitePersistence/fetch-all/100000", aim: 1.6,
      measured: .loop(operations: 100_000) {
        let file = try FileOfItems(100_000)
        let store = try file.store()
        return { iterations in
          for _ in 0..<iterations { blackHole(try store.fetch(Query<Item>())) }
          withExtendedLifetime(file) {}
        }
      },
      baseline: .loop("the C API", operations: 100_000) {
        let file = try FileOfItems(100_000)
        let database = try SQLiteItems(path: file.path)
        return { iterations in
          for _ in 0..<iterations { blackHole(try database.all()) }
          withExtendedLifetime(file) {}
        }
      })
    // Each look-up is a read of its own.
    Benchmark(
      "SQLitePersistence/get/100000", aim: 1.6,
      measured: .loop {
        let file = try FileOfItems(100_000)
        let store = try file.store()
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            blackHole(try store.find(Item.self, scattered(turn, 100_000)))
            turn += 1
          }
          withExtendedLifetime(file) {}
        }
      },
      baseline: .loop("the C API") {
        let file = try FileOfItems(100_000)
        let database = try SQLiteItems(path: file.path)
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            blackHole(try database.item(scattered(turn, 100_000)))
            turn += 1
          }
          withExtendedLifetime(file) {}
        }
      })
    Benchmark(
      "SQLitePersistence/open/100000", unit: .microseconds,
      measured: .loop {
        let file = try FileOfItems(100_000)
        return { iterations in for _ in 0..<iterations { blackHole(try file.store().version) } }
      },
      baseline: .loop("the C API") {
        let file = try FileOfItems(100_000)
        return { iterations in
          for _ in 0..<iterations {
            blackHole(try SQLiteItems(path: file.path).lastVersion())
          }
        }
      })
    // A file is opened, and its last 50 objects are shown and followed.
    Benchmark(
      "SQLitePersistence/open-and-show-50/1000000", unit: .milliseconds, absoluteAim: 20,
      measured: .loop {
        let file = try FileOfItems(1_000_000)
        return { iterations in
          for _ in 0..<iterations {
            let store = try file.store()
            let model = try FetchedObjectsModel(
              Query<Item>().sorted { [$0.id.descending] }.limit(50), in: store)
            blackHole((model.fetchedObjects.count, model.snapshot.totalCount))
          }
        }
      },
      baseline: .loop("the C API") {
        let file = try FileOfItems(1_000_000)
        return { iterations in
          for _ in 0..<iterations {
            let database = try SQLiteItems(path: file.path)
            blackHole((try database.last(50).count, try database.count()))
          }
        }
      })
    Benchmark(
      "SQLitePersistence/index-only-commit/1000000", unit: .microseconds,
      measured: .loop {
        let file = try FileOfItems(1_000_000)
        let store = try file.store()
        let model = try IndexedObjectsModel(byName, in: store)
        let token = model.didChange.subscribe { blackHole($0.changes) }
        return renaming(file, store, keeping: (model, token))
      },
      baseline: .loop("unwatched") {
        let file = try FileOfItems(1_000_000)
        return renaming(file, try file.store())
      })
    // Pages before the last ones, each other ones than before, so that none is kept.
    Benchmark(
      "SQLitePersistence/page-of-50/1000000", unit: .microseconds, aim: 1.5,
      measured: .loop {
        let file = try FileOfItems(1_000_000)
        let store = try file.store()
        let model = try IndexedObjectsModel(byName, in: store)
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            let first = 1_000_000 - 50 * (1 + turn % 100)
            let page = (first..<first + 50).map { ListPath(section: 0, row: $0) }
            blackHole(try model.objects(at: page))
            turn += 1
          }
          withExtendedLifetime(file) {}
        }
      },
      baseline: .loop("50 look-ups by key") {
        let file = try FileOfItems(1_000_000)
        let database = try SQLiteItems(path: file.path)
        let last = (0..<1_000_000).map { (name: Item.name($0), id: $0) }
          .sorted { $0.name < $1.name }.suffix(5000).map(\.id)
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            let first = last.count - 50 * (1 + turn % 100)
            blackHole(try database.items(Array(last[first..<first + 50])))
            turn += 1
          }
          withExtendedLifetime(file) {}
        }
      })
    Benchmark(
      "SQLitePersistence/memory/index-only-1000000", size: 1_000_000, unit: .bytes,
      absoluteAim: 24,
      measured: .figure {
        {
          let file = try FileOfItems(1_000_000)
          let store = try file.store()
          // The connection's own pages don't count.
          blackHole(try store.fetch(Query<Item>().filter { $0.number < 1000 }).count)
          let before = heap_bytes_in_use()
          let model = try IndexedObjectsModel(byName, in: store)
          return withExtendedLifetime((file, store, model)) {
            Double(heap_bytes_in_use() - before) / 1_000_000
          }
        }
      },
      baseline: .figure("an array of the ids") {
        {
          let before = heap_bytes_in_use()
          let ids = Array(0..<1_000_000)
          return withExtendedLifetime(ids) { Double(heap_bytes_in_use() - before) / 1_000_000 }
        }
      })
  }
}

private let byName = Query<Item>().sorted { [$0.name.ascending] }

/// A number below `count`, in no order.
@inline(__always)
private func scattered(_ turn: Int, _ count: Int) -> Int { turn &* 7919 % count }

/// Renames one item after the other, so that each moves.
private func renaming(
  _ file: FileOfItems, _ store: Store, keeping kept: Any = ()
) -> (Int) throws -> Void {
  var turn = 0
  return { iterations in
    for _ in 0..<iterations {
      turn += 1
      let name = Item.name(2_000_000 + turn)
      try store.commit {
        try $0.update(Item.self, scattered(turn, file.count)) { $0.name = name }
      }
    }
    withExtendedLifetime((file, kept)) {}
  }
}
