/// One key of a query's order.
///
///     query.sorted { [$0.owner.name.ascending, $0.year.descending] }
public struct Ordering<Root: Entity>: Sendable {
  /// The key as data.
  @_spi(Storage) public let key: SortKey

  /// The same key with nil after every value, whatever the direction.
  public var nilsLast: Ordering { Ordering(key: key.placing(nilsFirst: false)) }

  /// The same key with nil before every value, whatever the direction.
  public var nilsFirst: Ordering { Ordering(key: key.placing(nilsFirst: true)) }
}

extension Field {
  /// The order with smaller values first, and nil before all.
  ///
  /// It is that of stored forms.
  ///
  /// - Precondition: If the type is a `CaseIterable` enum, its `<` is the order of its raw values.
  public var ascending: Ordering<Root> {
    OrderOfCases.check(Value.self)
    return Ordering(key: SortKey(expression, isAscending: true))
  }

  /// The order with larger values first, and nil after all.
  ///
  /// It is that of stored forms.
  ///
  /// - Precondition: If the type is a `CaseIterable` enum, its `<` is the order of its raw values.
  public var descending: Ordering<Root> {
    OrderOfCases.check(Value.self)
    return Ordering(key: SortKey(expression, isAscending: false))
  }

  /// Returns the order of `comparator`, with nil before all.
  public func ascending(by comparator: ValueComparator<Value>) -> Ordering<Root> {
    Ordering(
      key: SortKey(expression, isAscending: true, collation: .custom(comparator.collation)))
  }

  /// Returns the reverse of the order of `comparator`, with nil after all.
  public func descending(by comparator: ValueComparator<Value>) -> Ordering<Root> {
    Ordering(
      key: SortKey(expression, isAscending: false, collation: .custom(comparator.collation)))
  }
}

extension Field where Value == String {
  /// The order with smaller text first and nil before all, whose collation can be chosen.
  @_disfavoredOverload
  public var ascending: Ordering<Root>.Text {
    Ordering.Text(key: SortKey(expression, isAscending: true))
  }

  /// The order with larger text first and nil after all, whose collation can be chosen.
  @_disfavoredOverload
  public var descending: Ordering<Root>.Text {
    Ordering.Text(key: SortKey(expression, isAscending: false))
  }
}
