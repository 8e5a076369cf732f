extension RelatedAggregate {
  /// Returns the one value that is made of several.
  ///
  /// It doesn't depend on the order of the values.
  ///
  /// - Throws: ``StoreError/overflow(entity:)`` if a sum of whole numbers is beyond `Int`.
  func value(of values: FieldSummary, in entity: EntityDescription) throws -> StoredValue {
    switch self {
    case .least: return values.least ?? .null
    case .greatest: return values.greatest ?? .null
    case .average where values.count == 0, .list: return .null
    case .realSum: return Self.stored(values.real.total)
    case .wholeSum, .average: break
    }
    let sum = try values.wholeTotal(of: entity.name)
    if self == .wholeSum { return .integer(Int64(sum)) }
    // The values of one field are either all whole or all with a fraction.
    return Self.stored(
      sum == 0
        ? values.real.average(of: values.count) : Double(sum) / Double(values.count))
  }

  /// Returns the stored form of a sum, which is nil if infinities of both signs were added: no
  /// stored value is NaN (S8).
  private static func stored(_ number: Double) -> StoredValue {
    number.isNaN ? .null : number.storedValue
  }
}
