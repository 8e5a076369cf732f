public import EntityStore
public import Foundation

/// Sums of decimal numbers, without rounding.
///
///     try store.sum(of: Query<Title>()) { $0.price }
extension StoreReading where Self: ~Copyable {
  /// Returns the exact sum of a decimal number; nil counts for nothing.
  ///
  /// - Throws: `StoreError.overflow` if the sum has more digits than `Decimal`.
  public func sum<E: Entity>(
    of query: Query<E>, _ field: (Row<E, E>) -> Field<E, Decimal>
  ) throws -> Decimal { try decimalSum(query, field).sum }

  /// Returns the average of a decimal number, or nil if there is none.
  ///
  /// The sum is exact, and the quotient is rounded to as many digits as `Decimal` has: 38, or 39 if
  /// it has room for them. The least power of ten of a digit is -128.
  ///
  /// - Throws: `StoreError.overflow` if the sum has more digits than `Decimal`.
  public func average<E: Entity>(
    of query: Query<E>, _ field: (Row<E, E>) -> Field<E, Decimal>
  ) throws -> Decimal? {
    let (sum, count) = try decimalSum(query, field)
    if count == 0 { return nil }
    guard let average = DecimalText(sum).divided(by: count) else {
      throw StoreError.overflow(entity: E.entityName)
    }
    return average
  }

  private func decimalSum<E: Entity>(
    _ query: Query<E>, _ field: (Row<E, E>) -> Field<E, Decimal>
  ) throws -> (sum: Decimal, count: Int) {
    var sum = DecimalSum()
    var count = 0
    try forEachValue(query, field) { value in
      guard !value.isNull else { return }
      sum.add(try Decimal(storedValue: value))
      count += 1
    }
    guard let total = sum.total else { throw StoreError.overflow(entity: E.entityName) }
    return (total, count)
  }
}
