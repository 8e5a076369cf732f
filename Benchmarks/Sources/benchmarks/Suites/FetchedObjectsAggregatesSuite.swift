import EntityStore
import FetchedObjects

/// What it costs that a result gives sums.
extension BenchmarkSuite {
  static let fetchedObjectsAggregates = BenchmarkSuite {
    Benchmark(
      "FetchedObjects/commit-to-sum/100000", unit: .microseconds,
      measured: .loop {
        let store = try Store.items(100_000)
        let model = try FetchedObjectsModel(summed, in: store)
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            try store.count(turn, of: 100_000)
            blackHole(try model.snapshot.sum { $0.number })
            turn &+= 1
          }
        }
      },
      baseline: .loop("sum up the store") {
        let store = try Store.items(100_000)
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            try store.count(turn, of: 100_000)
            blackHole(try store.sum(of: Query<Item>()) { $0.number })
            turn &+= 1
          }
        }
      })
    Benchmark(
      "FetchedObjects/commit-with-sum-unread/100000", unit: .microseconds,
      measured: .loop { try counting(summed) },
      baseline: .loop("no sum declared") { try counting(byName) })
    Benchmark(
      "FetchedObjects/groups/100000x1000", size: 100_000, unit: .microseconds, aim: 0.001,
      knownMiss: KnownMiss(
        0.008,
        "the event of the model alone takes twice the aim, and the groups sum up the rows near the changed one"
      ),
      measured: .loop {
        let store = try Store.items(100_000)
        let model = try FetchedObjectsModel(
          Query<Item>().sectioned { $0.id / 100 }.aggregating { $0.number }, in: store)
        let groups = model.groups(by: [.descending { try $0.sum { $0.number } }])
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            try store.count(turn, of: 100_000)
            turn &+= 1
            blackHole(groups.snapshot.sections[0][0].count)
          }
        }
      },
      baseline: .loop("all groups made again") {
        let store = try Store.items(100_000)
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            try store.count(turn, of: 100_000)
            turn &+= 1
            var sums: [Int: (count: Int, sum: Int)] = [:]
            for item in try store.fetch(Query<Item>()) {
              let group = sums[item.id / 100, default: (0, 0)]
              sums[item.id / 100] = (group.count + 1, group.sum &+ item.number)
            }
            blackHole(sums.sorted { ($0.value.sum, $0.key) > ($1.value.sum, $1.key) }[0])
          }
        }
      })
    Benchmark(
      "FetchedObjects/sum-read-again/100000",
      measured: .loop {
        let snapshot = try FetchedObjectsModel(summed, in: try Store.items(100_000)).snapshot
        return { iterations in
          for _ in 0..<iterations { blackHole(try snapshot.sum { $0.number }) }
        }
      },
      baseline: .loop("iterate the result") {
        let snapshot = try FetchedObjectsModel(byName, in: try Store.items(100_000)).snapshot
        return { iterations in
          for _ in 0..<iterations {
            var sum = 0
            for item in snapshot.objects { sum &+= item.number }
            blackHole(sum)
          }
        }
      })
  }
}

private let byName = Query<Item>().sorted { [$0.name.ascending] }
private let summed = byName.aggregating { $0.number }

/// Commits that change a number, with a model that shows the query.
private func counting(_ query: Query<Item>) throws -> (Int) throws -> Void {
  let store = try Store.items(100_000)
  let model = try FetchedObjectsModel(query, in: store)
  var turn = 0
  return { iterations in
    for _ in 0..<iterations {
      try store.count(turn, of: 100_000)
      turn &+= 1
    }
    blackHole(model)
  }
}

extension Store {
  /// Changes the number of one of so many items.
  func count(_ turn: Int, of count: Int) throws {
    try commit { draft in
      try draft.update(Item.self, turn &* 7919 % count) { $0.number &+= 1 }
    }
  }
}
