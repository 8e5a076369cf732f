internal import EntityStore
internal import Locking

// The results that are read from a field's summary.
extension FieldSummary {
  /// Returns the sum of whole numbers.
  ///
  /// `entity` is the name of their entity, for the error.
  func wholeTotal(of entity: String) throws(StoreError) -> Int {
    guard let total = whole.total else { throw .overflow(entity: entity) }
    return total
  }

  /// Returns the average of whole numbers, or nil if there are none.
  ///
  /// `entity` is the name of their entity, for the error.
  func wholeAverage(of entity: String) throws(StoreError) -> Double? {
    let total = try wholeTotal(of: entity)
    return count == 0 ? nil : Double(total) / Double(count)
  }

  /// Returns true if both have the same results.
  func showsSame(as other: FieldSummary) -> Bool {
    let (mine, others) = (real.total, other.real.total)
    guard
      count == other.count && least == other.least && greatest == other.greatest
        && whole.total == other.whole.total && (mine == others || mine.isNaN && others.isNaN)
    else { return false }
    // Sums that are too large are equal, and their averages may differ.
    return !mine.isInfinite || realAverage == other.realAverage
  }

  /// The average of numbers with a fraction, or nil if there are none.
  var realAverage: Double? { count == 0 ? nil : real.average(of: count) }
}

extension Storable {
  /// Creates a value from the stored value of a row in a result.
  init(aggregated value: StoredValue) {
    do {
      try self.init(storedValue: value)
    } catch {
      mistake("\(error)")
    }
  }
}
