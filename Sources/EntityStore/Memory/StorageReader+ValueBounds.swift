extension StorageReader {
  /// Returns the least value of an attribute from a bound on, or nil if there is none.
  ///
  /// - Complexity: O(log *n*) with an index on the attribute, and otherwise O(*n*).
  func leastValue(
    of column: Int, in entity: EntityDescription, from bound: ValueBounds.Bound
  ) throws -> StoredValue? {
    let bounds = ValueBounds(lower: bound)
    if let found = try rowsByIndex(of: column, in: entity, within: bounds, limit: 1) {
      return found.first?.value(at: column)
    }
    let key = SortKey(.column(column, of: entity), isAscending: true)
    let condition = bounds.condition(on: column, of: entity)
    return try rows(FetchPlan(of: entity, where: condition, by: [key], limit: 1)).first?
      .value(at: column)
  }

  /// Returns the rows with values of an attribute within bounds, in no order.
  ///
  /// - Complexity: O(log *n* + *m*) for *m* rows with an index on the attribute, and otherwise
  ///   O(*n*).
  func rows(
    of column: Int, in entity: EntityDescription, within bounds: ValueBounds
  ) throws -> [EntityRow] {
    if let found = try rowsByIndex(of: column, in: entity, within: bounds) { return found }
    let condition = bounds.condition(on: column, of: entity)
    return try rows(FetchPlan(of: entity, where: condition).unordered)
  }

  private func rowsByIndex(
    of column: Int, in entity: EntityDescription, within bounds: ValueBounds, limit: Int = .max
  ) throws -> [EntityRow]? {
    guard let memory = self as? MemoryReader else { return nil }
    return try memory.rowsByIndex(of: column, in: entity, within: bounds, limit: limit)
  }
}

extension ValueBounds {
  fileprivate func condition(on column: Int, of entity: EntityDescription) -> QueryExpression {
    let attribute = QueryExpression.column(column, of: entity)
    var parts: [QueryExpression] = []
    if let lower {
      parts.append(
        .comparison(
          lower.isIncluded ? .greaterOrEqual : .greater, attribute, .constant(lower.value)))
    }
    if let upper {
      parts.append(
        .comparison(upper.isIncluded ? .lessOrEqual : .less, attribute, .constant(upper.value)))
    }
    return .and(parts)
  }
}
