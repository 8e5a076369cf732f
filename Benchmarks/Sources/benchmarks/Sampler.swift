/// One side, set up, that gives a sample whenever it is asked.
struct Sampler {
  private let side: Side
  private let unit: CostUnit
  private let clock: MonotonicClock
  private let body: Body
  private var iterations = 1

  private enum Body {
    case loop(operations: Int, (Int) throws -> Void)
    case timed((inout Stopwatch) throws -> Void)
    case figure(() throws -> Double)
  }

  /// Sets the side up.
  init(_ side: Side, unit: CostUnit, clock: MonotonicClock) throws {
    self.side = side
    self.unit = unit
    self.clock = clock
    body =
      switch side.form {
      case .loop(let operations, let setUp): .loop(operations: operations, try setUp())
      case .timed(let setUp): .timed(try setUp())
      case .figure(let setUp): .figure(try setUp())
      }
  }

  /// Finds the number of iterations that fills a sample.
  mutating func calibrate(_ plan: SamplingPlan) throws {
    guard !side.isFigure else { return }
    var calibration = Calibration(plan: plan, side: side.name)
    while !calibration.isDone {
      iterations = calibration.iterations
      let start = clock.now()
      let timed = try time().nanoseconds
      try calibration.record(timed: timed, elapsed: Double(clock.now() - start))
    }
    iterations = calibration.iterations
  }

  /// Runs the body and returns the cost per operation, in the benchmark's unit.
  func sample() throws -> Double {
    if case .figure(let body) = body { return try checked(body()) }
    let (nanoseconds, operations) = try time()
    return try checked(nanoseconds / Double(operations) / (unit.nanoseconds ?? 1))
  }

  private func time() throws -> (nanoseconds: Double, operations: Int) {
    var stopwatch = Stopwatch(clock: clock)
    switch body {
    case .loop(let operations, let body):
      try stopwatch.measure(operations: operations * iterations) { try body(iterations) }
    case .timed(let body):
      for _ in 0..<iterations { try body(&stopwatch) }
    case .figure:
      break
    }
    guard stopwatch.operations > 0 else {
      throw BenchmarkError.nothingMeasured(side: side.name)
    }
    return (Double(stopwatch.nanoseconds), stopwatch.operations)
  }

  private func checked(_ cost: Double) throws -> Double {
    guard cost.isFinite, cost >= 0 else {
      throw BenchmarkError.unusable(cost: "\(cost)", side: side.name)
    }
    return cost
  }
}
