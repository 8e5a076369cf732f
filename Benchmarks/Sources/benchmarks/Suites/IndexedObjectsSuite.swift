import CHeap
import EntityStore
import FetchedObjects
import ListDiffing
import Relays
import SQLitePersistence

/// What an index-only result costs, beside the one that holds its objects.
extension BenchmarkSuite {
  static let indexedObjects = BenchmarkSuite {
    Benchmark(
      "FetchedObjects/memory/index-only", size: 100_000, unit: .bytes, absoluteAim: 24,
      measured: .figure {
        {
          let store = try Store.items(100_000)
          let before = heap_bytes_in_use()
          let model = try IndexedObjectsModel(byName, in: store)
          return withExtendedLifetime((store, model)) {
            Double(heap_bytes_in_use() - before) / 100_000
          }
        }
      },
      baseline: .figure("with the objects") {
        {
          let store = try Store.items(100_000)
          let before = heap_bytes_in_use()
          let model = try FetchedObjectsModel(byName, in: store)
          return withExtendedLifetime((store, model)) {
            Double(heap_bytes_in_use() - before) / 100_000
          }
        }
      })
    // On a file the number of a row is its id, which may need 64 bits.
    Benchmark(
      "FetchedObjects/memory/index-only-large-numbers", size: 100_000, unit: .bytes,
      absoluteAim: 24,
      measured: .figure {
        {
          let (folder, store) = try fileOfItems(100_000, from: 1 << 40)
          blackHole(try store.fetch(byName).count)
          let before = heap_bytes_in_use()
          let model = try IndexedObjectsModel(byName, in: store)
          return withExtendedLifetime((folder, store, model)) {
            Double(heap_bytes_in_use() - before) / 100_000
          }
        }
      },
      baseline: .figure("with the objects") {
        {
          let (folder, store) = try fileOfItems(100_000, from: 1 << 40)
          blackHole(try store.fetch(byName).count)
          let before = heap_bytes_in_use()
          let model = try FetchedObjectsModel(byName, in: store)
          return withExtendedLifetime((folder, store, model)) {
            Double(heap_bytes_in_use() - before) / 100_000
          }
        }
      })
    Benchmark(
      "FetchedObjects/index-only-first-fetch/100000", unit: .milliseconds,
      measured: .loop {
        let store = try Store.items(100_000)
        return { iterations in
          for _ in 0..<iterations { blackHole(try IndexedObjectsModel(byName, in: store).count) }
        }
      },
      baseline: .loop("with the objects") {
        let store = try Store.items(100_000)
        return { iterations in
          for _ in 0..<iterations { blackHole(try FetchedObjectsModel(byName, in: store).snapshot) }
        }
      })
    for isOnFile in [false, true] {
      Benchmark(
        "FetchedObjects/index-only-event\(isOnFile ? "-on-file" : "")/100000",
        unit: .microseconds,
        measured: .loop {
          let (folder, store) = try isOnFile ? fileOfItems(100_000) : (nil, Store.items(100_000))
          let model = try IndexedObjectsModel(byName, in: store)
          let token = model.didChange.subscribe { blackHole($0.changes) }
          return renaming(store, keeping: (folder, model, token))
        },
        baseline: .loop("with the objects") {
          let (folder, store) = try isOnFile ? fileOfItems(100_000) : (nil, Store.items(100_000))
          let model = try FetchedObjectsModel(byName, in: store)
          let token = model.didChange.subscribe { blackHole($0.changes) }
          return renaming(store, keeping: (folder, model, token))
        })
      // From end to end, a screen of 50 after the other.
      Benchmark(
        "FetchedObjects/index-only-object-at\(isOnFile ? "-on-file" : "")/100000",
        measured: .loop {
          let (folder, store) = try isOnFile ? fileOfItems(100_000) : (nil, Store.items(100_000))
          let model = try IndexedObjectsModel(byName, in: store)
          var turn = 0
          return { iterations in
            for _ in 0..<iterations {
              let path = ListPath(section: 0, row: turn % 100_000)
              blackHole(try model.object(at: path)?.number)
              turn += 1
            }
            withExtendedLifetime(folder) {}
          }
        },
        baseline: .loop("with the objects") {
          let model = try FetchedObjectsModel(byName, in: try Store.items(100_000))
          var turn = 0
          return { iterations in
            for _ in 0..<iterations {
              let path = ListPath(section: 0, row: turn % 100_000)
              blackHole(model.object(at: path).number)
              turn += 1
            }
          }
        })
    }
  }
}

private let byName = Query<Item>().sorted { [$0.name.ascending] }

/// A file with so many items.
private func fileOfItems(
  _ count: Int, from first: Int = 0
) throws -> (folder: TemporaryFolder?, store: Store) {
  let folder = try TemporaryFolder()
  let store = try Store(
    .sqlite(path: folder.freshPath(), durability: .normal), entities: [Item.self])
  try store.commit { draft in
    for item in Item.many(count) {
      try draft.insert(Item(id: first + item.id, name: item.name, number: item.number))
    }
  }
  return (folder, store)
}

/// Renames one item after the other, so that each moves.
private func renaming(_ store: Store, keeping kept: Any) -> (Int) throws -> Void {
  var turn = 0
  return { iterations in
    for _ in 0..<iterations {
      turn += 1
      let name = Item.name(200_000 + turn)
      try store.commit { try $0.update(Item.self, turn % 100_000) { $0.name = name } }
    }
    withExtendedLifetime(kept) {}
  }
}
