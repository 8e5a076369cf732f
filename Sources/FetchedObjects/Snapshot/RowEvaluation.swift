@_spi(Storage) internal import EntityStore

/// The expressions of a plan that are evaluated for each object, prepared.
struct RowEvaluation: Sendable {
  /// The condition that the object belongs to the result.
  let filter: CompiledExpression?
  /// The values that come with it.
  let values: [CompiledExpression]

  init(_ filter: QueryExpression?, _ values: [QueryExpression], of entity: EntityDescription) {
    self.filter = filter.map { CompiledExpression($0, of: entity) }
    self.values = values.map { CompiledExpression($0, of: entity) }
  }
}
