/// The part of a text in which another text has to occur.
///
///     $0.name.hasPrefix("A")  // .prefix
///     $0.name.contains("nn")  // .infix
@_spi(Storage) public enum TextTest: String, Hashable, Sendable {
  /// The start.
  case prefix
  /// The end.
  case suffix
  /// Any part.
  case infix
  /// The whole text: both are the same.
  case whole
}
