/// The result of one benchmark, with costs in its unit per operation.
struct Comparison {
  let title: BenchmarkTitle
  let size: Int
  let unit: CostUnit
  let samples: Int
  let measured: Cost
  let baseline: Cost
  let aim: Double?
  let knownMiss: KnownMiss?
  let absoluteAim: Double?

  /// What one side costs.
  struct Cost {
    let name: String
    let median: Double
    let minimum: Double
  }

  /// The result of `benchmark` that follows from the samples of its sides.
  ///
  /// - Throws: `BenchmarkError.unusable` if the baseline costs nothing.
  init(_ benchmark: Benchmark, measured: Samples, baseline: Samples) throws {
    title = benchmark.title
    size = benchmark.size
    unit = benchmark.unit
    aim = benchmark.aim
    knownMiss = benchmark.knownMiss
    absoluteAim = benchmark.absoluteAim
    samples = measured.count
    self.measured = Cost(
      name: benchmark.measured.name, median: measured.median, minimum: measured.minimum)
    self.baseline = Cost(
      name: benchmark.baseline.name, median: baseline.median, minimum: baseline.minimum)
    guard self.baseline.median > 0 else {
      throw BenchmarkError.unusable(cost: "0", side: benchmark.baseline.name)
    }
  }

  /// Our median over the baseline's.
  var ratio: Double { measured.median / baseline.median }

  /// Whether the ratio is higher than wanted.
  var missesAim: Bool { ratio > aim ?? .infinity }

  /// The ratio that a check compares with: what is known, or else what is wanted.
  var expectedRatio: Double? { knownMiss?.ratio ?? aim }

  /// Whether the ratio is higher than expected by more than half, which noise doesn't explain.
  ///
  /// It is also true if a number of bytes exceeds its aim by more than half. No machine changes that
  /// number.
  var isFarOff: Bool { hasFarRatio || hasFarBytes }

  var hasFarRatio: Bool { ratio > 1.5 * (expectedRatio ?? .infinity) }

  private var hasFarBytes: Bool {
    unit == .bytes && measured.median > 1.5 * (absoluteAim ?? .infinity)
  }

  /// Whether our median is higher than wanted.
  var missesAbsoluteAim: Bool { measured.median > absoluteAim ?? .infinity }
}
