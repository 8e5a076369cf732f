import Observation
import Relays

extension BenchmarkSuite {
  /// A relay with a current value, against a value under a lock.
  static let stateRelays = BenchmarkSuite {
    Benchmark(
      "Relays/state-get/1",
      measured: .loop {
        let relay = StateRelay(1)
        return { iterations in
          var sum = 0
          for _ in 0..<iterations { sum &+= relay.value }
          blackHole(sum)
        }
      },
      baseline: .loop("value under a lock") {
        let value = LockedValue(1)
        return { iterations in
          var sum = 0
          for _ in 0..<iterations { sum &+= value.value }
          blackHole(sum)
        }
      })
    for count in [0, 1] {
      Benchmark(
        "Relays/state-set/\(count)",
        measured: .loop {
          let relay = StateRelay(1)
          let counter = Counter()
          let tokens = (0..<count).map { _ in relay.subscribe { counter.value &+= $0 } }
          return { iterations in
            for value in 0..<iterations { relay.send(value) }
            blackHole(tokens)
          }
        },
        baseline: .loop("value under a lock") {
          let value = LockedValue(1)
          let counter = Counter()
          let list = ClosureArray()
          for _ in 0..<count { list.add { counter.value &+= $0 } }
          return { iterations in
            for new in 0..<iterations {
              value.value = new
              if count > 0 { list.send(new) }
            }
          }
        })
    }
    for (title, aim, baseline) in [
      ("state-set-once-read", 1.5, setting("value under a lock", LockedValue(1))),
      ("state-set-once-read against never read", 1.5, setting("never read", StateRelay(1))),
    ] {
      Benchmark(
        "Relays/\(title)/0", aim: aim,
        measured: .loop {
          let relay = StateRelay(1)
          blackHole(relay.value)
          return { iterations in for value in 0..<iterations { relay.send(value) } }
        },
        baseline: baseline)
    }
    Benchmark(
      "Relays/state-set-once-tracked/0", aim: 1.5,
      measured: .loop {
        let relay = StateRelay(1)
        withObservationTracking {
          blackHole(relay.value)
        } onChange: {
        }
        relay.send(2)
        return { iterations in for value in 0..<iterations { relay.send(value) } }
      },
      baseline: setting("never read", StateRelay(1)))
    Benchmark(
      "Relays/modify-element/1000000", aim: 2,
      measured: .loop {
        let relay = StateRelay([Int](repeating: 0, count: 1_000_000))
        return { iterations in
          for value in 0..<iterations { relay.modify { $0[place(value)] = value } }
        }
      },
      baseline: .loop("array under a lock") {
        let array = LockedArray([Int](repeating: 0, count: 1_000_000))
        return { iterations in
          for value in 0..<iterations { array.modify { $0[place(value)] = value } }
        }
      })
  }
}

private func setting(_ name: String, _ value: LockedValue) -> Side {
  .loop(name) { { iterations in for new in 0..<iterations { value.value = new } } }
}

private func setting(_ name: String, _ relay: StateRelay<Int>) -> Side {
  .loop(name) { { iterations in for value in 0..<iterations { relay.send(value) } } }
}

/// A place in an array of 1,000,000, near the one of the number before, so that the cache isn't what is measured.
@inline(__always) private func place(_ number: Int) -> Int { number & 0xFFFF }
