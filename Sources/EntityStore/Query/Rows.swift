/// The objects that refer to one in a query: the other side of a to-one reference.
///
///     query.filter { $0.cars.any { $0.year < 1990 } }
public struct Rows<Root: Entity, Target: Entity>: Sendable {
  let path: ManyPath

  /// How many there are.
  public var count: Field<Root, Int> { Field(.count(path, where: nil)) }

  /// Whether there are none.
  public var isEmpty: Condition<Root> { count == 0 }

  /// How many meet a condition.
  public func count(
    @ConditionBuilder<Target> _ condition: (Row<Target, Target>) -> Condition<Target>
  ) -> Field<Root, Int> {
    Field(.count(path, where: condition(Row(steps: [])).expression))
  }

  /// Whether one meets a condition.
  public func any(
    @ConditionBuilder<Target> _ condition: (Row<Target, Target>) -> Condition<Target>
  ) -> Condition<Root> {
    count(condition) > 0
  }

  /// Whether all meet a condition; with none, yes.
  public func all(
    @ConditionBuilder<Target> _ condition: (Row<Target, Target>) -> Condition<Target>
  ) -> Condition<Root> {
    Condition(
      .comparison(
        .equal,
        .count(path, where: .not(condition(Row(steps: [])).expression)), .constant(.integer(0))))
  }
}
