/// All benchmarks, checked against each other.
struct Catalog {
  let benchmarks: [Benchmark]

  /// The benchmarks of `suites`, in order.
  ///
  /// - Precondition: Titles are unique, and the benchmarks of a chart share a unit.
  init(_ suites: [BenchmarkSuite]) {
    benchmarks = suites.flatMap(\.benchmarks)
    var titles: Set<BenchmarkTitle> = []
    var units: [String: CostUnit] = [:]
    for benchmark in benchmarks {
      let title = benchmark.title
      precondition(titles.insert(title).inserted, "Two benchmarks are called \"\(title)\"")
      precondition(
        units.updateValue(benchmark.unit, forKey: title.group) ?? benchmark.unit == benchmark.unit,
        "The benchmarks of \"\(title.group)\" have different units")
    }
  }

  /// The benchmarks whose titles contain `text`, in either case; all without a text.
  func matching(_ text: String?) -> [Benchmark] {
    guard let text = text?.lowercased() else { return benchmarks }
    return benchmarks.filter { $0.title.description.lowercased().contains(text) }
  }
}
