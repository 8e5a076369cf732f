import EntityStore

extension BenchmarkSuite {
  /// A commit of one object with nobody watching, against a dictionary of structs.
  static let entityStore = BenchmarkSuite {
    for count in [1000, 10_000, 100_000] {
      Benchmark(
        "EntityStore/commit-1/\(count)", absoluteAim: 2000,
        measured: .loop {
          let store = try Store.items(count)
          return { iterations in
            for index in 0..<iterations {
              try store.commit { try $0.update(Item.self, index % count) { $0.number &+= 1 } }
            }
          }
        },
        baseline: .loop("dictionary") {
          var items = Dictionary(uniqueKeysWithValues: Item.many(count).map { ($0.id, $0) })
          return { iterations in
            for index in 0..<iterations { items[index % count]?.number &+= 1 }
            blackHole(items.count)
          }
        })
    }
  }
}
