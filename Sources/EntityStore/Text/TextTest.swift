/// Where one text stands in another.
public enum TextTest: String, Hashable, Sendable {
  /// At the start.
  case prefix
  /// At the end.
  case suffix
  /// Anywhere.
  case infix
  /// From start to end: both are the same.
  case whole
}
