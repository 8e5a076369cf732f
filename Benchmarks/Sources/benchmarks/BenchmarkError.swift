/// A reason a benchmark has no result.
enum BenchmarkError: Error, Hashable, CustomStringConvertible {
  /// The loop takes no time, however often it runs.
  case vanished(side: String)

  /// A self-timed body measured no operation.
  case nothingMeasured(side: String)

  /// A cost is negative or no number, or the baseline's is zero.
  case unusable(cost: String, side: String)

  /// A side did not do what it is measured for.
  case wrong(String)

  var description: String {
    switch self {
    case .vanished(let side): "\"\(side)\" takes no time; hand its results to blackHole(_:)"
    case .nothingMeasured(let side): "\"\(side)\" measured no operation"
    case .wrong(let message): message
    case .unusable(let cost, let side): "\"\(side)\" has an unusable cost of \(cost)"
    }
  }
}
