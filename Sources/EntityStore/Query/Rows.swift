internal import Locking

/// The to-many side of a reference in a query: in `$0.cars`, the cars that refer to a person.
///
///     query.filter { $0.cars.any { $0.year < 1990 } }
///     query.sorted { [$0.cars.filter { $0.isSold }.sum { $0.price }.descending] }
public struct Rows<Root: Entity, Target: Entity>: Sendable {
  private let path: ManyPath
  /// The condition that the objects meet, or nil for all of them.
  private let condition: QueryExpression?

  init(path: ManyPath, condition: QueryExpression? = nil) {
    self.path = path
    self.condition = condition
  }

  /// Returns those of the objects that also meet these conditions, one on each line.
  public func filter(
    @Condition<Target>.Builder _ condition: (Row<Target, Target>) -> Condition<Target>
  ) -> Rows {
    Rows(path: path, condition: meeting(condition(Row(steps: [])).expression))
  }

  private func meeting(_ further: QueryExpression) -> QueryExpression {
    condition.map { .and([$0, further]) } ?? further
  }

  // MARK: Counts

  /// The number of objects.
  public var count: Field<Root, Int> { Field(.count(path, where: condition)) }

  /// The condition that there are none.
  public var isEmpty: Condition<Root> { count == 0 }

  /// Returns the number of objects that meet a condition.
  public func count(
    @Condition<Target>.Builder _ condition: (Row<Target, Target>) -> Condition<Target>
  ) -> Field<Root, Int> { filter(condition).count }

  /// Returns the condition that at least one object meets a condition.
  public func any(
    @Condition<Target>.Builder _ condition: (Row<Target, Target>) -> Condition<Target>
  ) -> Condition<Root> {
    count(condition) > 0
  }

  /// Returns the condition that all objects meet a condition; true if there are none.
  public func all(
    @Condition<Target>.Builder _ condition: (Row<Target, Target>) -> Condition<Target>
  ) -> Condition<Root> {
    let others = meeting(.not(condition(Row(steps: [])).expression))
    return Condition(.comparison(.equal, .count(path, where: others), .constant(.integer(0))))
  }

  // MARK: Values

  private func related<Value: Storable, Result: Storable>(
    _ aggregate: RelatedAggregate, _ field: (Row<Target, Target>) -> Field<Target, Value>
  ) -> Field<Root, Result> {
    Field(.related(aggregate, path, of: Field(field).expression, where: condition))
  }

  /// Returns the sum of a whole number; nil is left out, and the sum of nothing is 0.
  ///
  /// Reading the query throws ``StoreError/overflow(entity:)`` if the sum is beyond `Int`. A file
  /// can't add up in SQL exactly, so the store reads the objects.
  public func sum<Value: Storable & FixedWidthInteger>(
    _ field: (Row<Target, Target>) -> Field<Target, Value>
  ) -> Field<Root, Int> { related(.wholeSum, field) }

  /// Returns the sum of a number with a fraction, rounded once; nil is left out, and the sum of
  /// nothing is 0.
  ///
  /// If infinities of both signs are added, the sum is nil. A file can't add up in SQL exactly, so
  /// the store reads the objects.
  public func sum<Value: Storable & BinaryFloatingPoint>(
    _ field: (Row<Target, Target>) -> Field<Target, Value>
  ) -> Field<Root, Double> { related(.realSum, field) }

  /// Returns the average of a whole number; nil is left out, and the average of nothing is nil.
  ///
  /// Reading the query throws ``StoreError/overflow(entity:)`` if the sum is beyond `Int`.
  public func average<Value: Storable & FixedWidthInteger>(
    _ field: (Row<Target, Target>) -> Field<Target, Value>
  ) -> Field<Root, Double> { related(.average, field) }

  /// Returns the average of a number with a fraction; nil is left out, and the average of nothing
  /// is nil.
  public func average<Value: Storable & BinaryFloatingPoint>(
    _ field: (Row<Target, Target>) -> Field<Target, Value>
  ) -> Field<Root, Double> { related(.average, field) }

  /// Returns the smallest value in the order of stored forms, or nil if there is none.
  ///
  /// - Precondition: If the type is a `CaseIterable` enum, its `<` is the order of its raw values.
  public func min<Value: Storable>(
    _ field: (Row<Target, Target>) -> Field<Target, Value>
  ) -> Field<Root, Value> {
    OrderOfCases.check(Value.self)
    return related(.least, field)
  }

  /// Returns the largest value in the order of stored forms, or nil if there is none.
  ///
  /// - Precondition: If the type is a `CaseIterable` enum, its `<` is the order of its raw values.
  public func max<Value: Storable>(
    _ field: (Row<Target, Target>) -> Field<Target, Value>
  ) -> Field<Root, Value> {
    OrderOfCases.check(Value.self)
    return related(.greatest, field)
  }

  /// Returns the value of each object; nil is left out.
  ///
  ///     query.including {
  ///       $0.taggings.values(by: { [$0.position.ascending] }) { $0.tag.name }
  ///     }
  ///
  /// It can only be included. It can't be a condition or a key of an order.
  ///
  /// - Parameters:
  ///   - order: the order of the objects. Objects with equal keys are ordered by id. The order that
  ///     the ``Many`` declares isn't used, because it belongs to an object and not to a query.
  ///   - field: the value of an object.
  /// - Returns: the values, to be included.
  public func values<Value: Storable>(
    by order: (Row<Target, Target>) -> [Ordering<Target>] = { _ in [] },
    _ field: (Row<Target, Target>) -> Field<Target, Value>
  ) -> Inclusion<Root> {
    Inclusion(computed: list(by: order, field))
  }

  package func list<Value: Storable>(
    by order: (Row<Target, Target>) -> [Ordering<Target>],
    _ field: (Row<Target, Target>) -> Field<Target, Value>
  ) -> QueryExpression {
    let keys = order(Row(steps: [])).map(\.key)
    mustHold(
      !keys.contains { $0.expression.isRank },
      "The values of related objects are ordered by relevance, which depends on all objects; "
        + "order them by other values, or fetch the related objects with sorted { [$0.rank(of:)] }")
    return .related(
      .list(by: keys), path, of: Field(field).expression,
      where: condition)
  }
}
