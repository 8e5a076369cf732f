/// Collects the fields of `.aggregating`, one a line.
@resultBuilder public enum AggregationBuilder<Root: Entity> {
  /// One field: an attribute of the object or of a related one, or a count of those that refer to it.
  public static func buildExpression<Value>(_ field: Field<Root, Value>) -> Aggregation<Root> {
    Aggregation(expressions: [field.expression])
  }

  /// Fields that have been collected already.
  public static func buildExpression(_ fields: Aggregation<Root>) -> Aggregation<Root> { fields }

  /// All lines.
  public static func buildBlock(_ lines: Aggregation<Root>...) -> Aggregation<Root> {
    Aggregation(expressions: lines.flatMap(\.expressions))
  }

  /// A branch.
  public static func buildEither(first: Aggregation<Root>) -> Aggregation<Root> { first }

  /// The other branch.
  public static func buildEither(second: Aggregation<Root>) -> Aggregation<Root> { second }

  /// Fields that are there only sometimes.
  public static func buildOptional(_ fields: Aggregation<Root>?) -> Aggregation<Root> {
    fields ?? Aggregation()
  }

  /// The fields of a loop.
  public static func buildArray(_ fields: [Aggregation<Root>]) -> Aggregation<Root> {
    Aggregation(expressions: fields.flatMap(\.expressions))
  }
}
