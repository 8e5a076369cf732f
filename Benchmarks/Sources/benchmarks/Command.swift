/// The command, apart from the process it runs in.
struct Command {
  let suites: [BenchmarkSuite]
  let output: (String) -> Void
  let errors: (String) -> Void
  var showsProgress = false

  /// Follows the arguments and returns the exit status.
  ///
  /// The status is 0, or 1 if a benchmark failed, or 2 if the arguments cannot be followed.
  func run(_ arguments: [String]) -> Int32 {
    do {
      return try follow(Options(parsing: arguments))
    } catch {
      errors("\(error)\n")
      return 2
    }
  }

  private func follow(_ options: Options) throws(UsageError) -> Int32 {
    if options.action == .help {
      output(Options.help)
      return 0
    }
    let benchmarks = Catalog(suites).matching(options.filter)
    if let filter = options.filter, benchmarks.isEmpty {
      throw UsageError(reason: "no title contains '\(filter)'")
    }
    if options.action == .list {
      for benchmark in benchmarks { output("\(benchmark.title)\n") }
      return 0
    }
    let files = try ReportFiles(options)
    warnIfSlow()
    let report = measure(benchmarks, plan: options.isQuick ? .quick : .full)
    try files.write(report)
    return report.comparisons.count == benchmarks.count ? 0 : 1
  }

  private func measure(_ benchmarks: [Benchmark], plan: SamplingPlan) -> Report {
    startFirstThread()
    let runner = Runner(plan: plan, clock: .system)
    let table = ResultTable(benchmarks)
    var report = Report()
    output(table.heading)
    for (offset, benchmark) in benchmarks.enumerated() {
      progress("[\(offset + 1)/\(benchmarks.count)] \(benchmark.title)")
      let result = Result { try runner.run(benchmark) }
      progress("")
      switch result {
      case .success(let comparison):
        report.comparisons.append(comparison)
        output(table.row(comparison))
      case .failure(let error):
        errors("benchmarks: \(benchmark.title): \(error)\n")
      }
    }
    return report
  }

  private func progress(_ text: String) {
    if showsProgress { errors("\r\u{1B}[K\(text)") }
  }

  private func warnIfSlow() {
    var isDebug = false
    assert(
      {
        isDebug = true
        return true
      }())
    if isDebug { errors("benchmarks: warning: built without -c release; costs mean nothing\n") }
  }
}
