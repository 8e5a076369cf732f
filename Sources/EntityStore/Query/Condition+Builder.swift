extension Field where Value == Bool {
  /// A result builder that collects the conditions of a filter, all of which must hold.
  ///
  ///     query.filter {
  ///       $0.year > 1990
  ///       $0.owner.name != ""
  ///     }
  ///
  /// There is one condition on each line. So a mistake is found quickly by the compiler, with a
  /// good message.
  @resultBuilder public enum Builder {
    /// Returns a condition.
    public static func buildExpression(_ condition: Condition<Root>) -> Condition<Root> {
      condition
    }

    /// Returns the condition of the first line.
    public static func buildPartialBlock(first: Condition<Root>) -> Condition<Root> { first }

    /// Returns the conditions so far and that of a further line.
    public static func buildPartialBlock(accumulated: Condition<Root>, next: Condition<Root>)
      -> Condition<Root>
    { accumulated && next }

    /// Returns the conditions of a branch.
    public static func buildEither(first: Condition<Root>) -> Condition<Root> { first }

    /// Returns the conditions of the other branch.
    public static func buildEither(second: Condition<Root>) -> Condition<Root> { second }

    /// Returns the conditions of an `if` without `else`, or none.
    public static func buildOptional(_ condition: Condition<Root>?) -> Condition<Root> {
      condition ?? Condition(.and([]))
    }

    /// Returns the conditions of a loop.
    public static func buildArray(_ conditions: [Condition<Root>]) -> Condition<Root> {
      Condition(.and(conditions.map(\.expression)))
    }
  }
}
