/// The time and the number of operations that a self-timed side reports.
///
///     stopwatch.measure(operations: rows.count) { insert(rows) }
///
/// A call of `measure` costs two readings of the clock, about 50 ns together.
struct Stopwatch {
  private let clock: MonotonicClock
  private(set) var nanoseconds: UInt64 = 0
  private(set) var operations = 0

  /// A stopwatch that shows nothing yet.
  init(clock: MonotonicClock) {
    self.clock = clock
  }

  /// Adds the time `body` takes, and the operations it performs.
  @inline(__always)
  mutating func measure<Value>(operations: Int = 1, _ body: () throws -> Value) rethrows -> Value {
    let start = clock.now()
    let value = try body()
    nanoseconds += clock.now() - start
    self.operations += operations
    return value
  }
}
