/// A summary of the values of one field; nil doesn't count.
///
/// Partial results are combined and never subtracted. So the least value can be removed without a
/// search.
package struct FieldSummary: Sendable, Equatable {
  package private(set) var count = 0
  package private(set) var whole = WholeSum()
  package private(set) var real = ExactSum()
  /// The extremes in the order of stored forms, or nil if there are no values.
  package private(set) var least: StoredValue?
  package private(set) var greatest: StoredValue?

  package init() {}

  /// Adds a value, also to the sums if it is a number.
  ///
  /// Dates and truth values are stored as numbers, too.
  package mutating func add(_ value: StoredValue, isNumber: Bool = true) {
    if value.isNull { return }
    let isInSums = isNumber && addNumber(value)
    if !isInSums { count += 1 }
    note(value, value)
  }

  /// Counts a number and adds it to the sums; returns false if the value isn't a number.
  ///
  /// The extremes don't change, since comparing takes longer than adding.
  mutating func addNumber(_ value: StoredValue) -> Bool {
    switch value {
    case .integer(let number): whole.add(number)
    case .real(let number): real.add(number)
    case .bytes(let bytes) where bytes.count == 8:
      // The stored form of `UInt64`, the highest byte first.
      whole.add(bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    case .null, .text, .bytes, .list: return false
    }
    count += 1
    return true
  }

  /// Adds the summary of the values that follow these.
  package mutating func add(_ other: FieldSummary) {
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
  package mutating func normalize() { real.normalize() }
}
