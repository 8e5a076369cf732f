import EntityStore
import FetchedObjects
import ListDiffing
import Relays

/// One changed object in a sorted result, from the commit to the event with its changes.
///
/// Every operation gives an object the name of another, so that it moves.
extension BenchmarkSuite {
  static let fetchedObjects = BenchmarkSuite {
    for (count, limit) in [(1000, 5.0), (10_000, 6), (100_000, 8), (1_000_000, 15)] {
      Benchmark(
        "FetchedObjects/commit-to-event/\(count)", unit: .microseconds,
        absoluteAim: limit,
        measured: renaming(count),
        baseline: .loop("fetch again, diff by id") {
          let store = try Store.items(count)
          var rows = try store.fetch(byName).map(Fetched.init)
          return { iterations in
            try rename(iterations, of: count, in: store) {
              let next = try store.fetch(byName).map(Fetched.init)
              blackHole(ListDiff(from: rows, to: next).changes)
              rows = next
            }
          }
        })
      Benchmark(
        "FetchedObjects/commit-to-event against the commit/\(count)", unit: .microseconds, aim: 1.6,
        knownMiss: KnownMiss(
          4.5,
          "the commit and the event are 53,000 instructions with 36 allocations and 18 locks, of which the commit alone has 12,700 with 8 and 6"
        ),
        measured: renaming(count),
        baseline: .loop("nobody watches") {
          let store = try Store.items(count)
          return { iterations in try rename(iterations, of: count, in: store) {} }
        })
    }
    Benchmark(
      "FetchedObjects/commit-to-event against a plain array/100000", unit: .microseconds,
      measured: .loop {
        let store = try Store.items(100_000)
        let model = try FetchedObjectsModel(byName, in: store)
        let counter = EventCounter()
        let token = model.didChange.subscribe { counter.events += $0.changes.count }
        return { iterations in
          try rename(iterations, of: 100_000, in: store) {}
          blackHole((model, token))
        }
      },
      baseline: .loop("sort an array again, diff by id") {
        var items = Item.many(100_000)
        var rows = items.sorted { $0.name < $1.name }.map(Fetched.init)
        var turn = 0
        return { iterations in
          for _ in 0..<iterations {
            items[turn * 7919 % 100_000].name = Item.name(turn &* 31 &+ 1)
            turn += 1
            let next = items.sorted { $0.name < $1.name }.map(Fetched.init)
            blackHole(ListDiff(from: rows, to: next).changes)
            rows = next
          }
        }
      })
  }
}

/// A model of so many rows shows each of the commits.
private func renaming(_ count: Int) -> Side {
  .loop {
    let store = try Store.items(count)
    let model = try FetchedObjectsModel(byName, in: store)
    let counter = EventCounter()
    let token = model.didChange.subscribe { counter.events += $0.changes.count }
    return { iterations in
      let before = counter.events
      try rename(iterations, of: count, in: store) {}
      guard counter.events - before == iterations else {
        throw BenchmarkError.wrong("\(counter.events - before) changes, not \(iterations)")
      }
      blackHole((model, token))
    }
  }
}

private let byName = Query<Item>().sorted { [$0.name.ascending] }

/// What a list of plain values would show.
private struct Fetched: Diffable, Equatable {
  let item: Item
  var diffIdentifier: Int { item.id }
}

private final class Turn: @unchecked Sendable {
  var number = 0
}

private let turn = Turn()

@inline(never) private func rename(
  _ iterations: Int, of count: Int, in store: Store, then body: () throws -> Void
) throws {
  for _ in 0..<iterations {
    let number = turn.number
    turn.number += 1
    try store.commit { draft in
      try draft.update(Item.self, number &* 7919 % count) {
        $0.name = Item.name(number &* 31 &+ 1)
      }
    }
    try body()
  }
}
