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
