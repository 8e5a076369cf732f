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
  }
}
