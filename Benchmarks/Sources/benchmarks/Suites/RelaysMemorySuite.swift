import CHeap
import Observation
import Relays

extension BenchmarkSuite {
  /// What relays and subscriptions take of the heap.
  static let relaysMemory = BenchmarkSuite {
    Benchmark(
      "Relays/memory/relay", size: 1, unit: .bytes, absoluteAim: 100,
      measured: .figure {
        { heapBytes(per: 10_000) { Relay<Int>() } }
      },
      baseline: .figure("closure array") {
        { heapBytes(per: 10_000) { ClosureArray() } }
      })
    Benchmark(
      "Relays/memory/subscription", size: 1, unit: .bytes, absoluteAim: 130,
      measured: .figure {
        {
          let relay = Relay<Int>()
          let counter = Counter()
          return heapBytes(per: 10_000) { relay.subscribe { counter.value &+= $0 } }
        }
      },
      baseline: .figure("token array") {
        {
          let list = TokenArray()
          let counter = Counter()
          return heapBytes(per: 10_000) { list.add { counter.value &+= $0 } }
        }
      })
    for (index, title) in ["state", "state-once-read", "state-once-tracked"].enumerated() {
      Benchmark(
        "Relays/memory/\(title)", size: index, unit: .bytes, absoluteAim: index == 0 ? nil : 480,
        measured: .figure {
          {
            heapBytes(per: 10_000) {
              let relay = StateRelay(1)
              if index == 1 { blackHole(relay.value) }
              if index == 2 {
                withObservationTracking {
                  blackHole(relay.value)
                } onChange: {
                }
              }
              relay.send(2)
              return relay
            }
          }
        },
        baseline: .figure("value under a lock") {
          { heapBytes(per: 10_000) { LockedValue(1) } }
        })
    }
  }
}

/// The bytes of the heap, with what the allocator adds, that each of `count` values takes.
private func heapBytes<Value>(per count: Int, _ make: () -> Value) -> Double {
  var values: [Value] = []
  values.reserveCapacity(count)
  let before = heap_bytes_in_use()
  for _ in 0..<count { values.append(make()) }
  let after = heap_bytes_in_use()
  return withExtendedLifetime(values) { Double(after - before) / Double(count) }
}
