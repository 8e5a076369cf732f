import EntityStore
import Relays

/// What writing costs, against a dictionary of structs under a lock.
extension BenchmarkSuite {
  static let entityStore = BenchmarkSuite {
    for count in [1000, 10_000, 100_000] {
      Benchmark(
        "EntityStore/commit-1/\(count)", aim: count == 100_000 ? 6 : nil,
        knownMiss: count == 100_000
          ? KnownMiss(
            13,
            "12,700 instructions in some 60 functions, half of which release what the commit before has made; 8 allocations and 6 locks beside one lock"
          ) : nil, absoluteAim: 2000,
        measured: .loop {
          let store = try Store.items(count)
          return { iterations in
            for index in 0..<iterations {
              try store.commit { try $0.update(Item.self, index % count) { $0.number &+= 1 } }
            }
          }
        },
        baseline: .loop("dictionary, lock") {
          let table = PlainTable(count)
          return { iterations in
            for index in 0..<iterations { table.update(index % count) { $0.number &+= 1 } }
          }
        })
    }
    Benchmark(
      "EntityStore/commit-1000/100000", aim: 2,
      knownMiss: KnownMiss(
        3.5,
        "3,150 instructions a row: 1,900 in the body, and most others release old rows and lists of changes"
      ), absoluteAim: 300,
      measured: .loop(operations: 1000) {
        let store = try Store.items(100_000)
        return { iterations in
          for index in 0..<iterations {
            let start = index % 100 * 1000
            try store.commit { draft in
              for id in start..<start + 1000 {
                try draft.update(Item.self, id) { $0.number &+= 1 }
              }
            }
          }
        }
      },
      baseline: .loop("dictionary, lock", operations: 1000) {
        let table = PlainTable(100_000)
        return { iterations in
          for index in 0..<iterations {
            let start = index % 100 * 1000
            table.update(start..<start + 1000) { $0.number &+= 1 }
          }
        }
      })
    for count in [100_000, 1_000_000] {
      Benchmark(
        "EntityStore/insert-bulk/\(count)",
        measured: .loop(operations: count) {
          let items = Item.many(count)
          return { iterations in
            for _ in 0..<iterations {
              let store = try Store(.inMemory, entities: [Item.self])
              try store.commit { try $0.insert(contentsOf: items) }
              blackHole(store)
            }
          }
        },
        baseline: .loop("dictionary, lock", operations: count) {
          let items = Item.many(count)
          return { iterations in
            for _ in 0..<iterations {
              let table = PlainTable()
              for item in items { table.insert(item) }
              blackHole(table)
            }
          }
        })
    }
    Benchmark(
      "EntityStore/subscriptions/10000", aim: 1.2,
      measured: .loop { try commits(guards: 10_000) },
      baseline: .loop("one guard") { try commits(guards: 1) })
    Benchmark(
      "EntityStore/hooks-unset/1", aim: 1.02,
      measured: .loop("without hooks, beside a store that has some") {
        let beside = try Store(.inMemory, entities: [Item.self], hooks: EmptyHooks())
        try beside.commit { try $0.insert(contentsOf: Item.many(1)) }
        blackHole(beside)
        return commits(try Store.items(10_000))
      },
      baseline: .loop("without hooks") { commits(try Store.items(10_000)) })
    Benchmark(
      "EntityStore/hooks-set/1",
      measured: .loop("hooks that do nothing") {
        commits(try Store.items(10_000, hooks: EmptyHooks()))
      },
      baseline: .loop("without hooks") { commits(try Store.items(10_000)) })
  }

  /// Hooks that do nothing: the store still reads the clock for them.
  private struct EmptyHooks: StoreHooks {}

  /// Commits of one object each.
  private static func commits(_ store: Store) -> (Int) throws -> Void {
    { iterations in
      for index in 0..<iterations {
        try store.commit { try $0.update(Item.self, index % 10_000) { $0.number &+= 1 } }
      }
    }
  }

  /// Commits of which each concerns one of so many guards.
  private static func commits(guards: Int) throws -> (Int) throws -> Void {
    let store = try Store.items(10_000)
    let counter = Counter()
    let tokens = (0..<guards).map { number in
      store.changes(of: Item.self) { $0.number == number }
        .subscribe { counter.value += $0.updated.count }
    }
    var isEven = false
    return { iterations in
      let before = counter.value
      for _ in 0..<iterations {
        isEven.toggle()
        try store.commit { try $0.update(Item.self, 0) { $0.name = isEven ? "a" : "b" } }
      }
      guard counter.value - before == iterations else {
        throw BenchmarkError.wrong("\(counter.value - before) events, not \(iterations)")
      }
      blackHole(tokens)
    }
  }
}
