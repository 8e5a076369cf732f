import Testing

@testable import benchmarks

@Suite struct CalibrationTests {
  @Test(arguments: [1, 3, 17, 250, 40_000, 3_000_000, 19_000_000, 90_000_000])
  func `A sample takes about the wanted time`(cost: Int) throws {
    let iterations = try calibrated(timed: cost, elapsed: cost)
    let sample = Double(iterations * cost)
    #expect(iterations == 1 || (sample > 10e6 && sample <= 20e6), "\(cost) ns: \(sample)")
  }

  @Test func `Untimed parts do not stretch a sample beyond its share of the budget`() throws {
    #expect(try calibrated(timed: 10, elapsed: 10_000_000) <= 7)
    #expect(try calibrated(timed: 10, elapsed: 900_000_000) == 1)
  }

  @Test func `A loop that takes no time is an error`() {
    #expect(throws: BenchmarkError.vanished(side: "A")) { try calibrated(timed: 0, elapsed: 0) }
  }

  private func calibrated(timed: Int, elapsed: Int) throws -> Int {
    var calibration = Calibration(plan: .full, side: "A")
    while !calibration.isDone {
      let iterations = Double(calibration.iterations)
      try calibration.record(
        timed: Double(timed) * iterations, elapsed: Double(elapsed) * iterations)
    }
    return calibration.iterations
  }
}
