internal import EntityStore

/// What the values of one field sum up to; nil counts for nothing.
///
/// Partial results are combined and never taken away, so the least value needs no search when it goes.
struct FieldSummary: Sendable, Equatable {
  /// How many values there are.
  private(set) var count = 0
  private(set) var whole = WholeSum()
  private(set) var real = ExactSum()
  /// The extremes in the order of stored forms, or nil if there are no values.
  private(set) var least: StoredValue?
  private(set) var greatest: StoredValue?

  mutating func add(_ value: StoredValue) {
    switch value {
    case .null: return
    case .integer(let number): whole.add(number)
    case .real(let number): real.add(number)
    case .bytes(let bytes) where bytes.count == 8:
      // The stored form of `UInt64`, the highest byte first.
      whole.add(bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    case .text, .bytes, .list: break
    }
    count += 1
    note(value, value)
  }

  /// Adds what other values, which come after these, sum up to.
  mutating func add(_ other: FieldSummary) {
    guard let otherLeast = other.least, let otherGreatest = other.greatest else { return }
    count += other.count
    whole.add(other.whole)
    real.add(other.real)
    note(otherLeast, otherGreatest)
  }

  private mutating func note(_ low: StoredValue, _ high: StoredValue) {
    if least.map({ low < $0 }) ?? true { least = low }
    if greatest.map({ $0 < high }) ?? true { greatest = high }
  }

  /// Ends a round of additions, so that equal summaries have one form.
  mutating func normalize() { real.normalize() }
}
