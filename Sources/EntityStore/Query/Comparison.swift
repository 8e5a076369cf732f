/// How two values are compared.
public enum Comparison: String, Hashable, Sendable {
  /// The same stored form, nil included.
  case equal
  /// Not the same stored form, nil included.
  case notEqual
  /// Before; false with nil.
  case less
  /// Before or equal; false with nil.
  case lessOrEqual
  /// After; false with nil.
  case greater
  /// After or equal; false with nil.
  case greaterOrEqual
}
