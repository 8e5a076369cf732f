#if SQLCipher
import EntityStore
import SQLitePersistence

/// What writing to an encrypted file costs, against SQLCipher through its C API.
extension BenchmarkSuite {
  static let sqlCipher = BenchmarkSuite {
    Benchmark(
      "SQLCipher/commit-1-normal/1", unit: .microseconds, aim: 1.5,
      measured: .loop {
        let folder = try TemporaryFolder()
        let store = try Store(
          .sqlite(
            path: folder.freshPath(), key: { .bytes(0..<32) }, durability: .normal,
            watching: .none),
          entities: [Item.self])
        try store.commit { try $0.insert(contentsOf: Item.many(1)) }
        return { iterations in
          for _ in 0..<iterations {
            try store.commit { try $0.update(Item.self, 0) { $0.number &+= 1 } }
          }
          withExtendedLifetime(folder) {}
        }
      },
      baseline: .loop("SQLCipher's C API") {
        let folder = try TemporaryFolder()
        let payload = try FileOfItems(1).payload { store in
          try store.commit { try $0.update(Item.self, 0) { $0.number &+= 1 } }
        }
        let digits = (0..<32).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        let database = try SQLiteItems(
          path: folder.freshPath(), key: "x'\(digits.joined())'", durability: .normal)
        database.payload = payload
        try database.insert(Item.many(1))
        return { iterations in
          for _ in 0..<iterations { try database.countUp(0..<1) }
          withExtendedLifetime(folder) {}
        }
      })
  }
}
#endif
