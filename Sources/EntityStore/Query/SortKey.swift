/// One key of an order, as data.
public struct SortKey: Hashable, Sendable {
  /// What is compared.
  public let expression: QueryExpression
  /// Whether smaller values come first.
  public let isAscending: Bool
  /// Whether nil comes before every value.
  public let nilsFirst: Bool
  /// How two values are compared.
  public let collation: Collation

  init(
    _ expression: QueryExpression, isAscending: Bool, nilsFirst: Bool,
    collation: Collation = .stored
  ) {
    self.expression = expression
    self.isAscending = isAscending
    self.nilsFirst = nilsFirst
    self.collation = collation
  }

  func placing(nilsFirst: Bool) -> SortKey {
    SortKey(expression, isAscending: isAscending, nilsFirst: nilsFirst, collation: collation)
  }

  func collated(_ collation: Collation) -> SortKey {
    SortKey(expression, isAscending: isAscending, nilsFirst: nilsFirst, collation: collation)
  }

  /// Negative, 0 or positive as `a` comes before, with or after `b`.
  package func compare(_ a: StoredValue, _ b: StoredValue) -> Int {
    if a.isNull || b.isNull {
      if a.isNull && b.isNull { return 0 }
      return a.isNull == nilsFirst ? -1 : 1
    }
    let order = collation.compare(a, b)
    return isAscending ? order : -order
  }
}

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
  case own(OwnCollation)

  func compare(_ a: StoredValue, _ b: StoredValue) -> Int {
    switch self {
    case .stored: break
    case .caseInsensitive:
      if case .text(let a) = a, case .text(let b) = b { return CaseInsensitiveOrder.compare(a, b) }
    case .natural:
      if case .text(let a) = a, case .text(let b) = b { return NaturalOrder.compare(a, b) }
    case .own(let own):
      let order = own.compare(a, b)
      if order != 0 { return order }
    }
    return a.compare(to: b)
  }
}

/// An order of the app's own over stored forms; equal where it is the same object.
public final class OwnCollation: Hashable, Sendable {
  /// What it is called in messages.
  public let name: String
  let compare: @Sendable (StoredValue, StoredValue) -> Int

  init(name: String, compare: @escaping @Sendable (StoredValue, StoredValue) -> Int) {
    self.name = name
    self.compare = compare
  }

  /// Whether they are the same object.
  public static func == (a: OwnCollation, b: OwnCollation) -> Bool { a === b }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// An order of your own for the values of an attribute.
///
///     let bySize = ValueComparator<String>("size") { $0.count < $1.count }
///     query.sorted { [$0.name.ascending(by: bySize)] }
///
/// Make it once and keep it: queries are equal where they use the same one. On a file the rows are
/// read and then put in order here, since SQL can't call it.
public struct ValueComparator<Value: Storable>: Sendable {
  let collation: OwnCollation

  /// An order.
  ///
  /// Values of which neither comes before the other are in the order of their stored forms.
  ///
  /// - Parameters:
  ///   - name: what the order is called in messages.
  ///   - isBefore: whether the first value comes before the second: a strict weak order, and a
  ///     function of the two values alone.
  public init(_ name: String, by isBefore: @escaping @Sendable (Value, Value) -> Bool) {
    self.init(name, comparing: { isBefore($0, $1) ? -1 : isBefore($1, $0) ? 1 : 0 })
  }

  /// An order that is told by one comparison.
  ///
  /// - Parameters:
  ///   - name: what the order is called in messages.
  ///   - compare: negative, 0 or positive as the first comes before, with or after the second.
  package init(_ name: String, comparing compare: @escaping @Sendable (Value, Value) -> Int) {
    collation = OwnCollation(name: name) { a, b in
      // What a row holds has been made from a value, so it can be read back.
      guard let a = try? Value(storedValue: a), let b = try? Value(storedValue: b) else { return 0 }
      return compare(a, b)
    }
  }
}
