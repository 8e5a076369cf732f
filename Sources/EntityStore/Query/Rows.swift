/// The objects that refer to one in a query: the other side of a to-one reference.
///
///     query.filter { $0.cars.any { $0.year < 1990 } }
public struct Rows<Root: Entity, Target: Entity>: Sendable {
  let path: ManyPath

  /// The number of objects.
  public var count: Field<Root, Int> { Field(.count(path, where: nil)) }

  /// The condition that there are none.
  public var isEmpty: Condition<Root> { count == 0 }

  /// Returns the number of objects that meet a condition.
  public func count(
    @Condition<Target>.Builder _ condition: (Row<Target, Target>) -> Condition<Target>
  ) -> Field<Root, Int> {
    Field(.count(path, where: condition(Row(steps: [])).expression))
  }

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
    Condition(
      .comparison(
        .equal,
        .count(path, where: .not(condition(Row(steps: [])).expression)), .constant(.integer(0))))
  }
}
