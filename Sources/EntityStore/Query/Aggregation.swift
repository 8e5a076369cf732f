/// The fields of which a result gives sums, averages, extremes and counts.
///
///     query.aggregating { $0.price }
public struct Aggregation<Root: Entity>: Sendable {
  let expressions: [QueryExpression]
  /// The expressions whose values are numbers, which alone have sums.
  let numbers: Set<QueryExpression>

  init(_ expression: QueryExpression, isNumber: Bool) {
    expressions = [expression]
    numbers = isNumber ? [expression] : []
  }

  init(_ parts: [Aggregation]) {
    expressions = parts.flatMap(\.expressions)
    numbers = parts.reduce(into: []) { $0.formUnion($1.numbers) }
  }

  /// Creates an aggregation without fields.
  public init() { self.init([]) }
}
