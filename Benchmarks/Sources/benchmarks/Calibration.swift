/// The search for the number of iterations that fills a sample.
///
/// The owner runs `iterations`, tells what that took, and goes on until `isDone`.
/// The runs also warm up caches.
struct Calibration {
  private let plan: SamplingPlan
  private let side: String
  private(set) var iterations = 1
  private(set) var isDone = false

  /// A loop that fills no sample with this many iterations has been optimised away.
  static let mostIterations = 1 << 40

  /// A search that starts at one iteration of the side called `side`.
  init(plan: SamplingPlan, side: String) {
    self.plan = plan
    self.side = side
  }

  /// Takes note of a run of `iterations`.
  ///
  /// - Parameters:
  ///   - timed: The nanoseconds that count.
  ///   - elapsed: The nanoseconds that passed, the untimed parts included.
  /// - Throws: `BenchmarkError.vanished` if even the most iterations fill no sample.
  mutating func record(timed: Double, elapsed: Double) throws {
    let room = min(plan.sampleDuration / max(timed, 1), plan.longestSample / max(elapsed, 1))
    isDone = room <= 1
    if !isDone, iterations >= Self.mostIterations { throw BenchmarkError.vanished(side: side) }
    // Grown by 5 % more than needed, so that the next run is likely to be the last.
    let growth = isDone ? room : min(max(room * 1.05, 1.1), 10)
    let next = (Double(iterations) * growth).rounded(isDone ? .down : .up)
    iterations = min(max(Int(next), 1), Self.mostIterations)
  }
}
