import Dispatch
import Foundation
import Relays

extension BenchmarkSuite {
  /// The time for each of 50,000 values that another thread sends to the main actor.
  static let hops = BenchmarkSuite {
    Benchmark(
      "Relays/hop-main/50000", size: 50_000, aim: 1.2,
      measured: .figure {
        let relay = Relay<Int>()
        let counter = HopCounter()
        let token = relay.subscribe(on: .mainActor) { _ in counter.count += 1 }
        return {
          defer { blackHole(token) }
          return try counter.timeOfHops { relay.send($0) }
        }
      },
      baseline: .figure("a closure posted to the main queue") {
        let counter = HopCounter()
        return {
          try counter.timeOfHops { _ in DispatchQueue.main.async { counter.count += 1 } }
        }
      })
  }
}

/// The number of values that have arrived on the main thread, which alone accesses it.
private final class HopCounter: @unchecked Sendable {
  var count = 0

  /// Sends 50,000 values from another thread, and returns the nanoseconds for each.
  func timeOfHops(_ send: @escaping @Sendable (Int) -> Void) throws -> Double {
    guard Thread.isMainThread else { throw BenchmarkError.wrong("this is not the main thread") }
    count = 0
    let start = MonotonicClock.system.now()
    Thread { for value in 0..<50_000 { send(value) } }.start()
    while count < 50_000 {
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 1))
    }
    return Double(MonotonicClock.system.now() - start) / 50_000
  }
}
