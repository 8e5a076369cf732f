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
        aim: count == 1000 ? 1.3 : nil,
        knownMiss: count == 1000
          ? KnownMiss(
            3,
            "32,000 instructions beside 12,700, of which a third count references, with 12 allocations and 9 locks more"
          ) : nil,
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
      "FetchedObjects/observed-value/1000", unit: .microseconds, aim: 1.3,
      measured: countingNumbers(1000), baseline: countingNumbers(1, "one value"))
    Benchmark(
      "FetchedObjects/observed-value, four counts/100000", unit: .microseconds,
      measured: .loop {
        let store = try Store.items(100_000)
        let counts = try ObservedValue(in: store) { reader in
          [
            try reader.count(Query<Item>()),
            try reader.count(Query<Item>().filter { $0.number >= 50_000 }),
            try reader.count(Query<Item>().filter { $0.number < 10 }),
            try reader.count(Query<Item>().filter { $0.name == "" }),
          ]
        }
        return { iterations in
          try renumber(iterations, of: 100_000, in: store)
          blackHole(counts.value)
        }
      },
      baseline: unobserved(100_000))
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

/// Values that each count the items of one number, of which each commit concerns one.
private func countingNumbers(_ count: Int, _ name: String = "Signalbox") -> Side {
  .loop(name) {
    let store = try Store(.inMemory, entities: [Item.self])
    try store.commit { draft in
      for id in 0..<1000 { try draft.insert(Item(id: id, name: "", number: id)) }
    }
    let counter = ObservedCounter()
    let values = try (0..<count).map { number in
      try ObservedValue(in: store) { try $0.count(Query<Item>().filter { $0.number == number }) }
    }
    let tokens = values.map { $0.didChange.subscribe { _ in counter.events += 1 } }
    return { iterations in
      let before = counter.events
      for _ in 0..<iterations {
        // Item 0 leaves the number that is counted, or comes back.
        try store.commit { draft in
          try draft.update(Item.self, 0) { $0.number = $0.number == 0 ? 1_000_000 : 0 }
        }
      }
      guard counter.events - before == iterations else {
        throw BenchmarkError.wrong("\(counter.events - before) events, not \(iterations)")
      }
      blackHole((values, tokens))
    }
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
