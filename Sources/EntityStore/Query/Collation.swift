/// How the values of a key are compared.
public enum Collation: Hashable, Sendable {
  /// In the order of stored forms: numbers by value, text and bytes byte by byte.
  case stored
  /// Text, upper and lower case alike; equal ones in the order of their bytes.
  case caseInsensitive
  /// Text, upper and lower case alike and runs of digits by their number; equal ones in the order
  /// of their bytes.
  case natural
  /// In an order of the app's own.
  case custom(CustomCollation)

  func compare(_ a: StoredValue, _ b: StoredValue) -> Int {
    switch self {
    case .stored: break
    case .caseInsensitive:
      if case .text(let a) = a, case .text(let b) = b { return CaseInsensitiveOrder.compare(a, b) }
    case .natural:
      if case .text(let a) = a, case .text(let b) = b { return NaturalOrder.compare(a, b) }
    case .custom(let custom):
      let order = custom.compare(a, b)
      if order != 0 { return order }
    }
    return a.compare(to: b)
  }
}
