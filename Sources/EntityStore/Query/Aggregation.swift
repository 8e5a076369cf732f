/// Fields of which a result gives sums, averages, extremes and counts.
public struct Aggregation<Root: Entity>: Sendable {
  let expressions: [QueryExpression]

  init(expressions: [QueryExpression]) { self.expressions = expressions }

  /// Nothing.
  public init() { expressions = [] }
}
