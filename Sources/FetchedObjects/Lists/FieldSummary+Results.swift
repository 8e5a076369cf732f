internal import EntityStore
internal import Locking

// What is read of a field's summary.
extension FieldSummary {
  /// The sum of whole numbers of an entity with a name.
  func wholeTotal(of entity: String) throws(StoreError) -> Int {
    guard let total = whole.total else { throw .overflow(entity: entity) }
    return total
  }

  /// The average of whole numbers of an entity with a name, or nil if there are none.
  func wholeAverage(of entity: String) throws(StoreError) -> Double? {
    let total = try wholeTotal(of: entity)
    return count == 0 ? nil : Double(total) / Double(count)
  }

  /// The average of numbers with a fraction, or nil if there are none.
  var realAverage: Double? { count == 0 ? nil : real.total / Double(count) }
}

extension Storable {
  /// A value that a row of a result has.
  init(aggregated value: StoredValue) {
    do {
      try self.init(storedValue: value)
    } catch {
      mistake("\(error)")
    }
  }
}
