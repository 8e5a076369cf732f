extension StorageReader {
  /// Returns the least value of an attribute from a bound on, or nil if there is none.
  ///
  /// - Complexity: O(log *n*) with an index on the attribute, and otherwise O(*n*).
  func leastValue(
    of column: Int, in entity: EntityDescription, from bound: ValueBounds.Bound
  ) throws -> StoredValue? {
    if let memory = self as? MemoryReader,
      let found = try memory.leastValueByIndex(of: column, in: entity, from: bound)
    {
      return found.value
    }
    let attribute = QueryExpression.attribute(
      AttributePath(root: entity, steps: [], column: column))
    var query = QueryDescription(entity: entity)
    query.filter = .comparison(
      bound.isIncluded ? .greaterOrEqual : .greater, attribute, .constant(bound.value))
    query.orderings = [SortKey(attribute, isAscending: true, nilsFirst: true)]
    query.limit = 1
    return try rows(FetchPlan(query)).first?.value(at: column)
  }
}
