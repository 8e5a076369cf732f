/// The benchmarks of one layer.
struct BenchmarkSuite: Sendable {
  private let make: @Sendable () -> [Benchmark]

  /// A suite that lists its benchmarks, with loops and conditions if need be.
  init(@BenchmarkBuilder _ make: @escaping @Sendable () -> [Benchmark]) {
    self.make = make
  }

  var benchmarks: [Benchmark] { make() }
}
