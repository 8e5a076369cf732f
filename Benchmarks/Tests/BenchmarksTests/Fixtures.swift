@testable import benchmarks

/// A clock that moves only when told.
final class ManualClock {
  private(set) var nanoseconds: UInt64 = 0

  var clock: MonotonicClock { MonotonicClock { self.nanoseconds } }

  func advance(by amount: Int) {
    nanoseconds += UInt64(amount)
  }
}

/// What happened, in order.
final class Log<Entry> {
  private(set) var entries: [Entry] = []

  func append(_ entry: Entry) {
    entries.append(entry)
  }
}

extension Side {
  static func constant(_ name: String = "Signalbox", _ cost: Double = 1) -> Side {
    .figure(name) { { cost } }
  }
}

extension Comparison {
  static func sample(
    _ title: String, unit: CostUnit = .nanoseconds, aim: Double? = nil,
    absoluteAim: Double? = nil, measured: [Double], baseline: [Double],
    baselineName: String = "plain"
  ) throws -> Comparison {
    let benchmark = Benchmark(
      title, unit: unit, aim: aim, absoluteAim: absoluteAim, measured: .constant(),
      baseline: .constant(baselineName))
    return try Comparison(
      benchmark, measured: Samples(measured), baseline: Samples(baseline))
  }
}
