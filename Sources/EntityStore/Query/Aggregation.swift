/// The fields of which a result gives sums, averages, extremes and counts.
///
///     query.aggregating { $0.price }
public struct Aggregation<Root: Entity>: Sendable {
  let expressions: [QueryExpression]

  init(expressions: [QueryExpression]) { self.expressions = expressions }

  /// Creates an aggregation without fields.
  public init() { expressions = [] }
}
