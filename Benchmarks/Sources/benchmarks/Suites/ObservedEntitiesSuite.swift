import EntityStore
import FetchedObjects
import Observation
import Relays

/// One object changes while many are observed, of which it is one.
extension BenchmarkSuite {
  static let observedEntities = BenchmarkSuite {
    for count in [1000, 10_000] {
      Benchmark(
        "FetchedObjects/observed-entities/\(count)", unit: .microseconds,
        aim: count == 1000 ? 2.5 : nil,
        measured: .loop {
          let store = try Store.items(count)
          let counter = ObservedCounter()
          let observed = try (0..<count).map { try ObservedEntity<Item>($0, in: store) }
          let tokens = observed.map { $0.didChange.subscribe { _ in counter.events += 1 } }
          return { iterations in
            let before = counter.events
            try renumber(iterations, of: count, in: store)
            guard counter.events - before == iterations else {
              throw BenchmarkError.wrong("\(counter.events - before) events, not \(iterations)")
            }
            blackHole((observed, tokens))
          }
        },
        baseline: unobserved(count))
    }
    Benchmark(
      "FetchedObjects/observed-entities, another touched/1000", unit: .microseconds,
      measured: .loop {
        let store = try Store.items(2000)
        let observed = try (1000..<2000).map { try ObservedEntity<Item>($0, in: store) }
        return { iterations in
          try renumber(iterations, of: 1000, in: store)
          blackHole(observed)
        }
      },
      baseline: unobserved(2000, changing: 1000))
    Benchmark(
      "FetchedObjects/observed-entities, tracked/1000", unit: .microseconds,
      measured: .loop {
        let store = try Store.items(1000)
        let observed = try (0..<1000).map { try ObservedEntity<Item>($0, in: store) }
        for item in observed {
          withObservationTracking {
            blackHole(item.number)
          } onChange: {
          }
        }
        return { iterations in
          try renumber(iterations, of: 1000, in: store)
          blackHole(observed)
        }
      },
      baseline: unobserved(1000))
    Benchmark(
      "FetchedObjects/observe/1000", unit: .microseconds,
      measured: .loop {
        let store = try Store.items(1000)
        return { iterations in
          for index in 0..<iterations {
            let item = try ObservedEntity<Item>(index % 1000, in: store)
            blackHole(item)
          }
        }
      },
      baseline: .loop("read by id") {
        let store = try Store.items(1000)
        return { iterations in
          for index in 0..<iterations { blackHole(try store.find(Item.self, index % 1000)) }
        }
      })
  }
}

/// The same commits, with nobody who observes.
private func unobserved(_ count: Int, changing changed: Int? = nil) -> Side {
  .loop("none observed") {
    let store = try Store.items(count)
    return { try renumber($0, of: changed ?? count, in: store) }
  }
}

/// What the subscribers count.
///
/// One thread uses it.
private final class ObservedCounter: @unchecked Sendable {
  var events = 0
}

@inline(never) private func renumber(_ iterations: Int, of count: Int, in store: Store) throws {
  for index in 0..<iterations {
    try store.commit { draft in
      try draft.update(Item.self, index &* 7919 % count) { $0.number += 1 }
    }
  }
}
