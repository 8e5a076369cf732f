/// The command, apart from the process it runs in.
struct Command {
  let suites: [BenchmarkSuite]
  let output: (String) -> Void
  let errors: (String) -> Void
  var showsProgress = false

  /// Follows the arguments and returns the exit status.
  ///
  /// The status is 0, or 1 if a benchmark failed, a ratio that is checked is far over its aim or
  /// something has become slower, or 2 if the arguments cannot be followed.
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
    if case .compare(let old, let new) = options.action {
      let difference = RunDifference(
        from: try ReportFiles.records(of: old), to: try ReportFiles.records(of: new))
      output(difference.text)
      return difference.isSlower ? 1 : 0
    }
    if case .profile(let title) = options.action { return try profile(title) }
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
    let isComplete = report.comparisons.count == benchmarks.count
    return isComplete && (!options.isChecked || passes(report, benchmarks)) ? 0 : 1
  }

  /// Prints what one operation of each side allocates and locks.
  private func profile(_ title: String) throws(UsageError) -> Int32 {
    let found = Catalog(suites).benchmarks.first { $0.title.description == title }
    guard let benchmark = found else { throw UsageError(reason: "no title is '\(title)'") }
    warnIfSlow()
    do {
      for (side, run) in [
        (benchmark.measured, profiledMeasured), (benchmark.baseline, profiledBaseline),
      ] {
        let counts = try OperationCounts.of(side, run: run)
        output("\(side.name): \(counts.map { "\($0)" } ?? "isn't a loop")\n")
      }
      return 0
    } catch {
      errors("benchmarks: \(title): \(error)\n")
      return 1
    }
  }

  /// Names the ratios that are over what is expected by more than half, and says whether there are none.
  ///
  /// Each is measured once more, and longer, before it counts: a machine that is busy for a moment
  /// makes a short run no failure.
  private func passes(_ report: Report, _ benchmarks: [Benchmark]) -> Bool {
    let suspects = Set(report.comparisons.filter(\.isFarOff).map(\.title))
    if suspects.isEmpty { return true }
    output("Once more:\n")
    let again = measure(benchmarks.filter { suspects.contains($0.title) }, plan: .full)
    let missed = again.comparisons.filter(\.isFarOff)
    for comparison in missed {
      errors("benchmarks: \(comparison.title): \(comparison.farOffWords) by more than half\n")
    }
    return missed.isEmpty && again.comparisons.count == suspects.count
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
