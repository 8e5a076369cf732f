/// How long samples are and how many are taken.
struct SamplingPlan {
  /// The nanoseconds one sample should take.
  var sampleDuration: Double

  /// The nanoseconds all samples of a benchmark may take.
  var budget: Double

  /// The number of samples per side that has to fit into the budget, if operations allow.
  var wantedSamples: Int

  /// The number of samples per side that is taken even beyond the budget.
  var fewestSamples = 3

  /// The number of samples per side after which there is nothing to learn.
  var mostSamples = 100

  static let full = SamplingPlan(sampleDuration: 20e6, budget: 2e9, wantedSamples: 15)
  static let quick = SamplingPlan(sampleDuration: 5e6, budget: 0.4e9, wantedSamples: 5)

  /// The nanoseconds one sample may take with its untimed parts.
  var longestSample: Double { budget / Double(2 * wantedSamples) }
}
