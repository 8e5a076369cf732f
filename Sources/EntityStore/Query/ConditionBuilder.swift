/// Collects the conditions of a filter, one a line, all of which must hold.
///
/// A line for each condition is what keeps mistakes quick to compile and their messages good.
@resultBuilder public enum ConditionBuilder<Root: Entity> {
  /// A condition.
  public static func buildExpression(_ condition: Condition<Root>) -> Condition<Root> { condition }

  /// The first line.
  public static func buildPartialBlock(first: Condition<Root>) -> Condition<Root> { first }

  /// A further line.
  public static func buildPartialBlock(accumulated: Condition<Root>, next: Condition<Root>)
    -> Condition<Root>
  {
    guard case .and(let conditions) = accumulated.expression else { return accumulated && next }
    return Condition(.and(conditions + [next.expression]))
  }

  /// A branch.
  public static func buildEither(first: Condition<Root>) -> Condition<Root> { first }

  /// The other branch.
  public static func buildEither(second: Condition<Root>) -> Condition<Root> { second }

  /// Conditions that are there only sometimes.
  public static func buildOptional(_ condition: Condition<Root>?) -> Condition<Root> {
    condition ?? Condition(.and([]))
  }

  /// The conditions of a loop.
  public static func buildArray(_ conditions: [Condition<Root>]) -> Condition<Root> {
    Condition(.and(conditions.map(\.expression)))
  }
}
