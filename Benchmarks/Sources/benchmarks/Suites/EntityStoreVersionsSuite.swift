import CHeap
import EntityStore
import Foundation

/// What versions cost: to hold them, to read them beside a writer, in memory.
extension BenchmarkSuite {
  static let entityStoreVersions = BenchmarkSuite {
    Benchmark(
      "EntityStore/held-versions/1000",
      measured: .loop {
        let store = try Store.items(100_000)
        var held = (0..<1000).map { _ in nil as Store.Snapshot? }
        return { iterations in
          for index in 0..<iterations {
            try store.commit {
              try $0.update(Item.self, index &* 7919 % 100_000) { $0.number &+= 1 }
            }
            held[index % 1000] = try store.snapshot()
          }
          blackHole(held.count)
        }
      },
      baseline: .loop("none held") {
        let store = try Store.items(100_000)
        return { iterations in
          for index in 0..<iterations {
            try store.commit {
              try $0.update(Item.self, index &* 7919 % 100_000) { $0.number &+= 1 }
            }
          }
        }
      })
    Benchmark(
      "EntityStore/read-while-writing/2threads", size: 2,
      measured: .loop {
        let store = try Store.items(100_000)
        return { iterations in
          try beside({ index in
            try store.commit {
              try $0.update(Item.self, index &* 31 % 100_000) { $0.number &+= 1 }
            }
          }) {
            for index in 0..<iterations {
              blackHole(try store.find(Item.self, index &* 7919 % 100_000))
            }
          }
        }
      },
      baseline: .loop("dictionary, lock") {
        let table = PlainTable(100_000)
        return { iterations in
          try beside({ index in table.update(index &* 31 % 100_000) { $0.number &+= 1 } }) {
            for index in 0..<iterations { blackHole(table.find(index &* 7919 % 100_000)) }
          }
        }
      })
    Benchmark(
      "EntityStore/memory/100000", unit: .bytes, absoluteAim: 40,
      measured: .figure {
        {
          let items = Item.many(100_000)
          let before = heap_bytes_in_use()
          let store = try Store(.inMemory, entities: [Item.self])
          try store.commit { try $0.insert(contentsOf: items) }
          return withExtendedLifetime((store, items)) { beyondStruct(heap_bytes_in_use() - before) }
        }
      },
      baseline: .figure("dictionary") {
        {
          let items = Item.many(100_000)
          let before = heap_bytes_in_use()
          let table = PlainTable()
          for item in items { table.insert(item) }
          return withExtendedLifetime((table, items)) { beyondStruct(heap_bytes_in_use() - before) }
        }
      })
  }

  private static func beyondStruct(_ bytes: some BinaryInteger) -> Double {
    Double(bytes) / 100_000 - Double(MemoryLayout<Item>.stride)
  }

  /// Runs `body` while another thread writes without a pause.
  private static func beside(
    _ write: @escaping @Sendable (Int) throws -> Void, _ body: () throws -> Void
  ) throws {
    let isDone = Flag()
    let thread = Thread {
      var index = 0
      while !isDone.isSet {
        try? write(index)
        index &+= 1
      }
      isDone.end()
    }
    thread.start()
    defer { isDone.setAndWait() }
    try body()
  }
}

/// Tells a thread to end, and waits until it has.
private final class Flag: @unchecked Sendable {
  // @unchecked: `value` is under `lock`.
  private let lock = NSLock()
  private let ended = DispatchSemaphore(value: 0)
  private var value = false

  var isSet: Bool { lock.withLock { value } }

  func end() { ended.signal() }

  func setAndWait() {
    lock.withLock { value = true }
    ended.wait()
  }
}
