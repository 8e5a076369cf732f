import Testing

@testable import benchmarks

@Suite struct RunnerTests {
  private let time = ManualClock()
  private let log = Log<String>()

  private var runner: Runner { Runner(plan: .full, clock: time.clock) }

  private func side(_ name: String, cost: Int) -> Side {
    let (time, log) = (time, log)
    return .loop(name) {
      { iterations in
        log.append(name)
        time.advance(by: cost * iterations)
      }
    }
  }

  @Test func `The sides take turns, ours first`() throws {
    let benchmark = Benchmark(
      "SelfCheck/turns/1", measured: side("A", cost: 10), baseline: side("B", cost: 40))
    let comparison = try runner.run(benchmark)

    let turns = log.entries.suffix(2 * comparison.samples)
    #expect(comparison.samples >= 15)
    #expect(Array(turns) == (0..<turns.count).map { $0.isMultiple(of: 2) ? "A" : "B" })
    #expect(comparison.measured.median == 10)
    #expect(comparison.baseline.minimum == 40)
    #expect(comparison.ratio == 0.25)
  }

  @Test func `Slow sides still get three samples each`() throws {
    let benchmark = Benchmark(
      "SelfCheck/slow/1", measured: side("A", cost: 5_000_000_000), baseline: side("B", cost: 9))
    #expect(try runner.run(benchmark).samples == 3)
  }

  @Test func `Sides that take no time stop at the most samples`() throws {
    let benchmark = Benchmark(
      "SelfCheck/figure/1", unit: .bytes, measured: .constant("A", 3),
      baseline: .constant("B", 4))
    let comparison = try runner.run(benchmark)
    #expect(comparison.samples == SamplingPlan.full.mostSamples)
    #expect(comparison.ratio == 0.75)
  }

  @Test func `A self-timed side counts only what it measures`() throws {
    let time = time
    let timed = Side.timed {
      { stopwatch in
        time.advance(by: 1_000_000)
        stopwatch.measure(operations: 100) { time.advance(by: 700) }
      }
    }
    let benchmark = Benchmark(
      "SelfCheck/timed/100", measured: timed, baseline: side("B", cost: 14))
    let comparison = try runner.run(benchmark)
    #expect(comparison.measured.median == 7)
    #expect(comparison.samples >= 15)
  }

  @Test func `A cost is per operation and in the unit of the benchmark`() throws {
    let time = time
    let rows = Side.loop(operations: 1000) { { time.advance(by: 3_000_000 * $0) } }
    let benchmark = Benchmark(
      "SelfCheck/rows/1000", unit: .microseconds, measured: rows,
      baseline: side("B", cost: 1500))
    let comparison = try runner.run(benchmark)
    #expect(comparison.measured.median == 3)
    #expect(comparison.baseline.median == 1.5)
  }

  @Test func `A self-timed side that measures nothing fails`() {
    let benchmark = Benchmark(
      "SelfCheck/nothing/1", measured: .timed { { _ in } }, baseline: side("B", cost: 1))
    #expect(throws: BenchmarkError.nothingMeasured(side: "Signalbox")) {
      try runner.run(benchmark)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -1])
  func `A figure that is no cost fails`(figure: Double) {
    let benchmark = Benchmark(
      "SelfCheck/figure/1", unit: .bytes, measured: .constant("A", figure),
      baseline: .constant("B"))
    #expect(throws: BenchmarkError.unusable(cost: "\(figure)", side: "A")) {
      try runner.run(benchmark)
    }
  }

  @Test func `Set-up waits for the run and is freed after it`() throws {
    weak var state: ManualClock?
    var setUps = 0
    let time = time
    let measured = Side.loop {
      setUps += 1
      let held = ManualClock()
      state = held
      return { iterations in
        held.advance(by: iterations)
        time.advance(by: iterations * 100)
      }
    }
    let benchmark = Benchmark(
      "SelfCheck/lifetime/1", measured: measured, baseline: side("B", cost: 100))
    #expect(setUps == 0)
    _ = try runner.run(benchmark)
    #expect(setUps == 1)
    #expect(state == nil)
  }
}
