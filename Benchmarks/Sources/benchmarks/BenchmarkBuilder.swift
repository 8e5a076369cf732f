/// Collects the benchmarks that a suite lists.
@resultBuilder
enum BenchmarkBuilder {
  static func buildExpression(_ benchmark: Benchmark) -> [Benchmark] { [benchmark] }
  static func buildExpression(_ benchmarks: [Benchmark]) -> [Benchmark] { benchmarks }
  static func buildBlock(_ parts: [Benchmark]...) -> [Benchmark] { Array(parts.joined()) }
  static func buildArray(_ parts: [[Benchmark]]) -> [Benchmark] { Array(parts.joined()) }
  static func buildOptional(_ part: [Benchmark]?) -> [Benchmark] { part ?? [] }
  static func buildEither(first: [Benchmark]) -> [Benchmark] { first }
  static func buildEither(second: [Benchmark]) -> [Benchmark] { second }
}
