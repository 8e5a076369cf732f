/// Runs benchmarks, one at a time, both sides in turn.
struct Runner {
  let plan: SamplingPlan
  let clock: MonotonicClock

  /// Sets both sides up, calibrates them and takes samples A B A B until the budget is spent.
  func run(_ benchmark: Benchmark) throws -> Comparison {
    var measured = try Sampler(benchmark.measured, unit: benchmark.unit, clock: clock)
    var baseline = try Sampler(benchmark.baseline, unit: benchmark.unit, clock: clock)
    try measured.calibrate(plan)
    try baseline.calibrate(plan)

    var measuredSamples = Samples()
    var baselineSamples = Samples()
    let start = clock.now()
    repeat {
      measuredSamples.append(try measured.sample())
      baselineSamples.append(try baseline.sample())
    } while wantsMore(after: measuredSamples.count, elapsed: Double(clock.now() - start))
    return try Comparison(benchmark, measured: measuredSamples, baseline: baselineSamples)
  }

  private func wantsMore(after count: Int, elapsed: Double) -> Bool {
    count < plan.fewestSamples || (count < plan.mostSamples && elapsed < plan.budget)
  }
}
