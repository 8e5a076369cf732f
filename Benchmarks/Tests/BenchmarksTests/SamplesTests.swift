import Testing

@testable import benchmarks

@Suite struct SamplesTests {
  @Test(arguments: [
    ([3.0], 3.0, 3.0), ([2, 1], 1.5, 1), ([9, 1, 5], 5, 1), ([4, 8, 1, 2], 3, 1),
    ([7, 7, 7, 0], 7, 0),
  ])
  func `The median is the middle and the minimum the lowest`(
    costs: [Double], median: Double, minimum: Double
  ) {
    let samples = Samples(costs)
    #expect(samples.median == median)
    #expect(samples.minimum == minimum)
    #expect(samples.count == costs.count)
  }

  @Test func `No samples have neither`() async {
    await #expect(processExitsWith: .failure) { _ = Samples().median }
    await #expect(processExitsWith: .failure) { _ = Samples().minimum }
  }

  @Test func `The ratio is that of the medians`() throws {
    let comparison = try Comparison.sample(
      "Relays/send/1", measured: [1, 3, 100], baseline: [0.5, 2, 2])
    #expect(comparison.ratio == 1.5)
    #expect(comparison.samples == 3)
  }

  @Test func `A baseline that costs nothing has no ratio`() {
    #expect(throws: BenchmarkError.unusable(cost: "0", side: "plain")) {
      try Comparison.sample("Relays/send/1", measured: [1], baseline: [0])
    }
  }

  @Test func `An aim is missed from just above it`() throws {
    func comparison(_ cost: Double) throws -> Comparison {
      try .sample("Relays/send/1", aim: 2, absoluteAim: 20, measured: [cost], baseline: [10])
    }
    #expect(try !comparison(20).missesAim)
    #expect(try !comparison(20).missesAbsoluteAim)
    #expect(try comparison(21).missesAim)
    #expect(try comparison(21).missesAbsoluteAim)
  }
}
