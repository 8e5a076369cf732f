#if PostgreSQL
import EntityStore
import FetchedObjects
import ListDiffing
import PostgreSQLPersistence

/// What reading from a server costs, against libpq with prepared statements.
extension BenchmarkSuite {
  static let postgreSQLPersistenceReading = BenchmarkSuite {
    Benchmark(
      "PostgreSQLPersistence/fetch-all/100000", aim: 1.6,
      measured: .loop(operations: 100_000) {
        let store = try ServerOfItems(100_000).store()
        return { iterations in
          for _ in 0..<iterations { blackHole(try store.fetch(Query<Item>())) }
        }
      },
      baseline: .loop("libpq", operations: 100_000) {
        let database = try PostgreSQLItems(ServerOfItems(100_000))
        return { iterations in for _ in 0..<iterations { blackHole(try database.all()) } }
      })
    // Each look-up is a read of its own.
    Benchmark(
      "PostgreSQLPersistence/get/100000", unit: .microseconds, aim: 1.3,
      measured: .loop {
        let store = try ServerOfItems(100_000).store()
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            blackHole(try store.find(Item.self, turn &* 7919 % 100_000))
            turn += 1
          }
        }
      },
      baseline: .loop("libpq") {
        let database = try PostgreSQLItems(ServerOfItems(100_000))
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            blackHole(try database.item(turn &* 7919 % 100_000))
            turn += 1
          }
        }
      })
    // Pages before the last ones, each other ones than before, so that none is kept. The baseline
    // reads no version, so it needs no transaction.
    Benchmark(
      "PostgreSQLPersistence/page-of-50/1000000", unit: .microseconds, aim: 1.5,
      measured: .loop {
        let store = try ServerOfItems(1_000_000).store()
        let model = try IndexedObjectsModel(Query<Item>().sorted { [$0.name.ascending] }, in: store)
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            let first = 1_000_000 - 50 * (1 + turn % 100)
            let page = (first..<first + 50).map { ListPath(section: 0, row: $0) }
            blackHole(try model.objects(at: page))
            turn += 1
          }
        }
      },
      baseline: .loop("50 keys in one statement") {
        let database = try PostgreSQLItems(ServerOfItems(1_000_000))
        let last = (0..<1_000_000).map { (name: Item.name($0), id: $0) }
          .sorted { $0.name < $1.name }.suffix(5000).map(\.id)
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            let first = 5000 - 50 * (1 + turn % 100)
            blackHole(try database.items(Array(last[first..<first + 50])))
            turn += 1
          }
        }
      })
  }
}
#endif
