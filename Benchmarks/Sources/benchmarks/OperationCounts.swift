import CCounts

/// How many blocks of memory an operation allocates, and how many locks it takes, on the thread that
/// calls it.
///
/// Unlike times, counts are the same on every machine, so tests can hold them.
struct OperationCounts: Hashable {
  var allocations: Double
  var locks: Double

  /// True if this system counts.
  static var areTaken: Bool { counts_are_taken() }

  /// Counts what each of a side's operations does, on average, after as many operations that aren't
  /// counted.
  ///
  /// - Parameters:
  ///   - side: The side, which has to be a loop.
  ///   - iterations: The number of iterations.
  ///   - run: Runs the body with the number of iterations. It is a function of its own where a
  ///     profiler is to find it.
  /// - Returns: The counts, or nil if the side isn't a loop.
  /// - Throws: The error of the side.
  static func of(
    _ side: Side, iterations: Int = 1000,
    run: ((Int) throws -> Void, Int) throws -> Void = { try $0($1) }
  ) throws -> OperationCounts? {
    guard case .loop(let operations, let setUp) = side.form else { return nil }
    let body = try setUp()
    // The first operations make what later ones use again.
    try body(iterations)
    let (allocations, locks) = (thread_allocations(), thread_locks())
    try run(body, iterations)
    let count = Double(operations * iterations)
    return OperationCounts(
      allocations: Double(thread_allocations() - allocations) / count,
      locks: Double(thread_locks() - locks) / count)
  }
}

extension OperationCounts: CustomStringConvertible {
  var description: String {
    "\(Self.text(allocations)) allocations, \(Self.text(locks)) locks"
  }

  private static func text(_ count: Double) -> String {
    "\((count * 10).rounded() / 10)"
  }
}

// A profiler collects only while one of these runs; see Scripts/profile. Two equal bodies would
// become one function.

@inline(never)
func profiledMeasured(_ body: (Int) throws -> Void, _ iterations: Int) throws {
  try body(iterations)
}

@inline(never)
func profiledBaseline(_ body: (Int) throws -> Void, _ iterations: Int) throws {
  try body(iterations)
  withExtendedLifetime(iterations) {}
}
