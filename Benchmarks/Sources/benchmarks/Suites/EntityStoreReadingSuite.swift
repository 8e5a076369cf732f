import EntityStore

/// What reading costs, against plain structs.
extension BenchmarkSuite {
  static let entityStoreReading = BenchmarkSuite {
    Benchmark(
      "EntityStore/get/100000", aim: 2,
      knownMiss: KnownMiss(
        3.5,
        "of 690 instructions, 204 find the id, 109 count references and 61 are the lock of the version"
      ),
      measured: .loop {
        let store = try Store.items(100_000)
        return { iterations in
          for index in 0..<iterations {
            blackHole(try store.find(Item.self, index &* 7919 % 100_000))
          }
        }
      },
      baseline: .loop("dictionary") {
        let items = Dictionary(uniqueKeysWithValues: Item.many(100_000).map { ($0.id, $0) })
        return { iterations in
          for index in 0..<iterations { blackHole(items[index &* 7919 % 100_000]) }
        }
      })
    Benchmark(
      "EntityStore/filter/100000", unit: .microseconds, aim: 2,
      measured: .loop {
        let store = try Store.items(100_000)
        let query = Query<Item>().filter { $0.number >= 99_000 }
        return { iterations in
          for _ in 0..<iterations {
            try expect(1000, try store.fetch(query).count)
          }
        }
      },
      baseline: .loop("closure over an array") {
        let items = Item.many(100_000)
        let belongs = opaque { (item: Item) in item.number >= 99_000 }
        return { iterations in
          for _ in 0..<iterations { try expect(1000, items.filter(belongs).count) }
        }
      })
    Benchmark(
      "EntityStore/indexed-filter/100000", unit: .microseconds,
      measured: .loop {
        let store = try Store.indexedItems(100_000)
        let query = Query<IndexedItem>().filter { $0.number >= 99_900 }
        return { iterations in
          for _ in 0..<iterations { try expect(100, try store.fetch(query).count) }
        }
      },
      baseline: .loop("without an index") {
        let store = try Store.items(100_000)
        let query = Query<Item>().filter { $0.number >= 99_900 }
        return { iterations in
          for _ in 0..<iterations { try expect(100, try store.fetch(query).count) }
        }
      })
    Benchmark(
      "EntityStore/sort/100000", unit: .milliseconds, aim: 1.5,
      measured: .loop {
        let store = try Store.items(100_000)
        let query = Query<Item>().sorted { [$0.name.ascending] }
        return { iterations in
          for _ in 0..<iterations { try expect(100_000, try store.fetch(query).count) }
        }
      },
      baseline: .loop("a comparator by hand") {
        let items = Item.many(100_000)
        return { iterations in
          for _ in 0..<iterations {
            let sorted = items.sorted { a, b in
              a.name == b.name ? a.id < b.id : a.name < b.name
            }
            try expect(100_000, sorted.count)
          }
        }
      })
    Benchmark(
      "EntityStore/first-50/100000", unit: .milliseconds, aim: 4,
      measured: .loop {
        let store = try Store.items(100_000)
        let query = Query<Item>().sorted { [$0.name.ascending] }.limit(50)
        return { iterations in
          for _ in 0..<iterations { try expect(50, try store.fetch(query).count) }
        }
      },
      baseline: .loop("one pass over an array") {
        let items = Item.many(100_000)
        return { iterations in
          for _ in 0..<iterations {
            var first: [Item] = []
            for item in items {
              if let last = first.last, first.count == 50, item.name >= last.name { continue }
              let place = first.firstIndex { item.name < $0.name } ?? first.count
              first.insert(item, at: place)
              if first.count > 50 { first.removeLast() }
            }
            try expect(50, first.count)
          }
        }
      })
    Benchmark(
      "EntityStore/first-50-by-index/100000", unit: .microseconds, aim: 0.05,
      measured: .loop {
        let store = try Store.indexedItems(100_000)
        let query = Query<IndexedItem>().sorted { [$0.number.descending] }.limit(50)
        return { iterations in
          for _ in 0..<iterations { try expect(50, try store.fetch(query).count) }
        }
      },
      baseline: .loop("without an index") {
        let store = try Store.items(100_000)
        let query = Query<Item>().sorted { [$0.number.descending] }.limit(50)
        return { iterations in
          for _ in 0..<iterations { try expect(50, try store.fetch(query).count) }
        }
      })
    Benchmark(
      "EntityStore/condition/1",
      measured: .loop(operations: 1000) {
        let items = Item.many(1000)
        let condition = CompiledCondition<Item> { $0.number >= 500 }
        return { iterations in
          for _ in 0..<iterations {
            var count = 0
            for item in items where condition(item) { count &+= 1 }
            try expect(500, count)
          }
        }
      },
      baseline: .loop("inline condition", operations: 1000) {
        let items = Item.many(1000)
        return { iterations in
          for _ in 0..<iterations {
            var count = 0
            for item in items where item.number >= 500 { count &+= 1 }
            try expect(500, count)
          }
        }
      })
  }

  private static func expect(_ expected: Int, _ found: Int) throws {
    guard found == expected else { throw BenchmarkError.wrong("\(found) and not \(expected)") }
  }

  /// A closure that the compiler can't see through, as a user's stored predicate is.
  @inline(never)
  private static func opaque(_ belongs: @escaping (Item) -> Bool) -> (Item) -> Bool { belongs }
}

/// The same as `Item`, with an index on its number.
struct IndexedItem: Entity {
  let id: Int
  var name: String
  var number: Int
  static let attributes = Attributes(
    .id(\IndexedItem.id), .attribute("name", \.name), .attribute("number", \.number))
  static let schema = Schema(attributes, IndexedItem.init, rules: [.index(\.number)])
}

extension Store {
  static func indexedItems(_ count: Int) throws -> Store {
    let store = try Store(.inMemory, entities: [IndexedItem.self])
    try store.commit { draft in
      for item in Item.many(count) {
        try draft.insert(IndexedItem(id: item.id, name: item.name, number: item.number))
      }
    }
    return store
  }
}
