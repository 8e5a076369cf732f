/// A request the command cannot follow.
struct UsageError: Error, Hashable, CustomStringConvertible {
  let reason: String

  /// The one line for standard error.
  var description: String { "benchmarks: \(reason); see --help" }
}
