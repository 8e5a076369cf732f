/// The way in which the values of a key are compared.
///
///     $0.name.ascending.natural  // .natural
@_spi(Storage) public enum Collation: Hashable, Sendable {
  /// The order of stored forms: numbers by value, text and bytes byte by byte.
  case stored
  /// Text with upper and lower case alike; equal texts are in the order of their bytes.
  case caseInsensitive
  /// Text with upper and lower case alike, and with runs of digits by their number.
  ///
  /// Equal texts are in the order of their bytes.
  case natural
  /// A custom order.
  case custom(CustomCollation)

  func compare(_ a: StoredValue, _ b: StoredValue) -> Int {
    switch self {
    case .stored: break
    case .caseInsensitive:
      if case .text(let a) = a, case .text(let b) = b {
        return NaturalOrder.compare(a, b, byNumber: false)
      }
    case .natural:
      if case .text(let a) = a, case .text(let b) = b { return NaturalOrder.compare(a, b) }
    case .custom(let custom):
      let order = custom.compare(a, b)
      if order != 0 { return order }
    }
    return a.compare(to: b)
  }
}
