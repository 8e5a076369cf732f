/// The way in which two values are compared.
///
///     $0.year < 1990  // .less
@_spi(Storage) public enum Comparison: String, Hashable, Sendable {
  /// The stored forms are the same, nil included.
  case equal
  /// The stored forms differ, nil included.
  case notEqual
  /// The first value comes before the second; false with nil.
  case less
  /// The first value comes before the second or equals it; false with nil.
  case lessOrEqual
  /// The first value comes after the second; false with nil.
  case greater
  /// The first value comes after the second or equals it; false with nil.
  case greaterOrEqual
}
