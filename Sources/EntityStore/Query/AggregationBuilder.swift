/// Fields of which a result gives sums, averages, extremes and counts.
public struct Aggregation<Root: Entity>: Sendable {
  let expressions: [QueryExpression]

  init(expressions: [QueryExpression]) { self.expressions = expressions }

  /// Nothing.
  public init() { expressions = [] }
}

/// Collects the fields of `.aggregating`, one a line.
@resultBuilder public enum AggregationBuilder<Root: Entity> {
  /// One field: an attribute of the object or of a related one, or a count of those that refer to it.
  public static func buildExpression<Value>(_ field: Field<Root, Value>) -> Aggregation<Root> {
    Aggregation(expressions: [field.expression])
  }

  /// Several fields.
  public static func buildExpression(_ fields: Aggregation<Root>) -> Aggregation<Root> { fields }

  /// All lines.
  public static func buildBlock(_ lines: Aggregation<Root>...) -> Aggregation<Root> {
    Aggregation(expressions: lines.flatMap(\.expressions))
  }
}
