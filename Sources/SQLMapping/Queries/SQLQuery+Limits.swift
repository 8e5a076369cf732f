@_spi(Storage) package import EntityStore

extension SQLQuery {
  /// Returns the rows of a plan with values, if SQL would also compute those of objects that are
  /// beyond the limit.
  ///
  /// Such an object's sum may be too large, which must not be an error of the objects within.
  package func valuesWithinLimit(
    of plan: FetchPlan, reading reader: any StorageReader
  ) throws -> [FetchedRow]? {
    guard !isFinished, plan.limit != nil || plan.offset > 0, !plan.values.isEmpty else {
      return nil
    }
    let values = plan.values.map { CompiledExpression($0, of: plan.entity) }
    let checks = RelatedValueChecks(plan.values)
    let rows = try reader.rows(plan.withoutValues)
    let memo = reader.remembering(SharedReads(of: plan.values))
    let reader = memo ?? reader
    return try MemoReader.parts(of: rows).flatMap { part in
      try memo?.readAhead(plan.values, of: Array(part))
      return try part.map { row in
        let found = try values.map { try $0.uncheckedValue(of: row, reading: reader) }
        try checks.check(found)
        return FetchedRow(row: row, values: found)
      }
    }
  }
}
