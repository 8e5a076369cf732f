import CHeap
import EntityStore
import FetchedObjects
import Relays

/// What it costs to have a result and to read it.
extension BenchmarkSuite {
  static let fetchedObjectsReading = BenchmarkSuite {
    Benchmark(
      "FetchedObjects/first-fetch/100000", unit: .milliseconds, aim: 1.5,
      measured: .loop {
        let store = try Store.items(100_000)
        return { iterations in
          for _ in 0..<iterations { blackHole(try FetchedObjectsModel(byName, in: store).snapshot) }
        }
      },
      baseline: .loop("sort of an array") {
        let items = Item.many(100_000)
        return { iterations in
          for _ in 0..<iterations { blackHole(items.sorted { $0.name < $1.name }) }
        }
      })
    Benchmark(
      "FetchedObjects/snapshot-and-iterate/100000", unit: .microseconds, aim: 3,
      knownMiss: KnownMiss(
        8,
        "a row is found by its entry, its leaf and its object, in 20 instructions"),
      measured: .loop {
        let model = try FetchedObjectsModel(byName, in: try Store.items(100_000))
        return { iterations in
          for _ in 0..<iterations {
            var sum = 0
            for item in model.snapshot.fetchedObjects { sum &+= item.number }
            blackHole(sum)
          }
        }
      },
      baseline: .loop("iterate an array") {
        let items = Item.many(100_000).sorted { $0.name < $1.name }
        return { iterations in
          for _ in 0..<iterations {
            var sum = 0
            for item in items { sum &+= item.number }
            blackHole(sum)
          }
        }
      })
    // The same against rows that stand in memory as ours do: one by one, and in another order.
    Benchmark(
      "FetchedObjects/snapshot-and-iterate, boxed/100000", unit: .microseconds,
      measured: .loop {
        let model = try FetchedObjectsModel(byName, in: try Store.items(100_000))
        return { iterations in
          for _ in 0..<iterations {
            var sum = 0
            for item in model.snapshot.fetchedObjects { sum &+= item.number }
            blackHole(sum)
          }
        }
      },
      baseline: .loop("iterate boxes") {
        let boxes = Item.many(100_000).map(ItemBox.init).sorted { $0.item.name < $1.item.name }
        return { iterations in
          for _ in 0..<iterations {
            var sum = 0
            for box in boxes { sum &+= box.item.number }
            blackHole(sum)
          }
        }
      })
    Benchmark(
      "FetchedObjects/snapshot-and-iterate, copied/100000", unit: .microseconds, aim: 0.5,
      measured: .loop {
        let model = try FetchedObjectsModel(byName, in: try Store.items(100_000))
        return { iterations in
          for _ in 0..<iterations { blackHole(model.snapshot.objects) }
        }
      },
      baseline: .loop("copy of boxes") {
        let boxes = Item.many(100_000).map(ItemBox.init).sorted { $0.item.name < $1.item.name }
        return { iterations in
          for _ in 0..<iterations { blackHole(boxes.map(\.item)) }
        }
      })
    Benchmark(
      "FetchedObjects/object-at/1000000",
      measured: .loop {
        let model = try FetchedObjectsModel(byName, in: try Store.items(1_000_000))
        let snapshot = model.snapshot
        return { iterations in
          for turn in 0..<iterations {
            blackHole(snapshot.fetchedObjects[turn &* 7919 % 1_000_000].number)
          }
        }
      },
      baseline: .loop("an array") {
        let items = Item.many(1_000_000).sorted { $0.name < $1.name }
        return { iterations in
          for turn in 0..<iterations { blackHole(items[turn &* 7919 % 1_000_000].number) }
        }
      })
    Benchmark(
      "FetchedObjects/set-query/100000", unit: .milliseconds,
      measured: .loop {
        let store = try Store.items(100_000)
        let model = try FetchedObjectsModel(byName, in: store)
        let token = model.didChange.subscribe { blackHole($0.changes) }
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            turn += 1
            let limit = 90_000 + turn % 2 * 5000
            try model.setQuery(byName.filter { $0.number < limit })
          }
          blackHole((model, token))
        }
      },
      baseline: .loop("fetch again") {
        let store = try Store.items(100_000)
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            turn += 1
            let limit = 90_000 + turn % 2 * 5000
            blackHole(try store.fetch(byName.filter { $0.number < limit }))
          }
        }
      })
    Benchmark(
      "FetchedObjects/memory/objects", size: 100_000, unit: .bytes, absoluteAim: 24,
      measured: .figure {
        {
          let store = try Store.items(100_000)
          let before = heap_bytes_in_use()
          let model = try FetchedObjectsModel(byName, in: store)
          return withExtendedLifetime((store, model)) {
            Double(heap_bytes_in_use() - before) / 100_000
          }
        }
      },
      baseline: .figure("an array of the rows") {
        {
          let store = try Store.items(100_000)
          let before = heap_bytes_in_use()
          let rows = try store.fetch(byName)
          return withExtendedLifetime((store, rows)) {
            Double(heap_bytes_in_use() - before) / 100_000
          }
        }
      })
  }
}

private let byName = Query<Item>().sorted { [$0.name.ascending] }

/// An item in an allocation of its own, as a row is.
private final class ItemBox: Sendable {
  let item: Item

  init(_ item: Item) { self.item = item }
}
