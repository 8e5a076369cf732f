/// One key of a query's order.
///
///     query.sorted { [$0.owner.name.ascending, $0.year.descending] }
public struct Ordering<Root: Entity>: Sendable {
  /// The key as data.
  public let key: SortKey

  /// The same key with nil after every value, whatever the direction.
  public var nilsLast: Ordering { Ordering(key: key.placing(nilsFirst: false)) }

  /// The same key with nil before every value, whatever the direction.
  public var nilsFirst: Ordering { Ordering(key: key.placing(nilsFirst: true)) }
}

extension Field {
  /// Smaller values first, nil before all.
  public var ascending: Ordering<Root> {
    Ordering(key: SortKey(expression, isAscending: true, nilsFirst: true))
  }

  /// Larger values first, nil after all.
  public var descending: Ordering<Root> {
    Ordering(key: SortKey(expression, isAscending: false, nilsFirst: false))
  }
}

/// One key of an order, as data.
public struct SortKey: Hashable, Sendable {
  /// What is compared.
  public let expression: QueryExpression
  /// Whether smaller values come first.
  public let isAscending: Bool
  /// Whether nil comes before every value.
  public let nilsFirst: Bool

  init(_ expression: QueryExpression, isAscending: Bool, nilsFirst: Bool) {
    self.expression = expression
    self.isAscending = isAscending
    self.nilsFirst = nilsFirst
  }

  func placing(nilsFirst: Bool) -> SortKey {
    SortKey(expression, isAscending: isAscending, nilsFirst: nilsFirst)
  }

  /// Negative, 0 or positive as `a` comes before, with or after `b`.
  package func compare(_ a: StoredValue, _ b: StoredValue) -> Int {
    if a.isNull || b.isNull {
      if a.isNull && b.isNull { return 0 }
      return a.isNull == nilsFirst ? -1 : 1
    }
    let order = a.compare(to: b)
    return isAscending ? order : -order
  }
}
