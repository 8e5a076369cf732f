@_spi(Storage) internal import EntityStore

/// A range of storable values.
protocol StoredRange {
  var ends: StoredEnds { get }
}

/// The ends of a range, nil where it has none; the upper one belongs to a closed range.
typealias StoredEnds = (lower: StoredValue?, upper: StoredValue?, isClosed: Bool)

extension StoredRange {
  /// Returns the condition that the range contains a value.
  func contains(_ value: QueryExpression) -> QueryExpression {
    let (lower, upper, isClosed) = ends
    return .all(
      [
        lower.map { .compare(.greaterOrEqual, value, .constant($0)) },
        upper.map { .compare(isClosed ? .lessOrEqual : .less, value, .constant($0)) },
      ].compactMap { $0 })
  }
}

extension Range: StoredRange where Bound: Storable {
  var ends: StoredEnds { (lowerBound.storedValue, upperBound.storedValue, false) }
}

extension ClosedRange: StoredRange where Bound: Storable {
  var ends: StoredEnds { (lowerBound.storedValue, upperBound.storedValue, true) }
}

extension PartialRangeFrom: StoredRange where Bound: Storable {
  var ends: StoredEnds { (lowerBound.storedValue, nil, true) }
}

extension PartialRangeUpTo: StoredRange where Bound: Storable {
  var ends: StoredEnds { (nil, upperBound.storedValue, false) }
}

extension PartialRangeThrough: StoredRange where Bound: Storable {
  var ends: StoredEnds { (nil, upperBound.storedValue, true) }
}
