/// A sum of whole numbers, wide enough for as many as may exist: only the total can be too large.
package struct WholeSum: Sendable, Equatable {
  private var high: Int64 = 0
  private var low: UInt64 = 0

  package init() {}

  /// The sum, or nil if it doesn't fit in an `Int`.
  package var total: Int? {
    let sum = Int64(bitPattern: low)
    return high == (sum < 0 ? -1 : 0) ? Int(exactly: sum) : nil
  }

  package mutating func add(_ number: Int64) {
    add(high: number < 0 ? -1 : 0, low: UInt64(bitPattern: number))
  }

  package mutating func add(_ number: UInt64) { add(high: 0, low: number) }

  package mutating func add(_ other: WholeSum) { add(high: other.high, low: other.low) }

  private mutating func add(high otherHigh: Int64, low otherLow: UInt64) {
    let (sum, carries) = low.addingReportingOverflow(otherLow)
    low = sum
    high += otherHigh + (carries ? 1 : 0)
  }
}
