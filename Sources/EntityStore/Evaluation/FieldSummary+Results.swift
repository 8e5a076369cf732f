// The results that are read from a field's summary.
extension FieldSummary {
  /// Returns the sum of whole numbers.
  ///
  /// `entity` is the name of their entity, for the error.
  package func wholeTotal(of entity: String) throws(StoreError) -> Int {
    guard let total = whole.total else { throw .overflow(entity: entity) }
    return total
  }

  /// Returns the average of whole numbers, or nil if there are none.
  ///
  /// `entity` is the name of their entity, for the error.
  package func wholeAverage(of entity: String) throws(StoreError) -> Double? {
    let total = try wholeTotal(of: entity)
    return count == 0 ? nil : Double(total) / Double(count)
  }

  /// The average of numbers with a fraction, or nil if there are none.
  package var realAverage: Double? { count == 0 ? nil : real.average(of: count) }
}
