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
    let checks = ValueChecks(plan.values)
    let rows = try reader.rows(plan.withoutValues)
    var found: [FetchedRow] = []
    found.reserveCapacity(rows.count)
    try reader.evaluate(
      plan.values, sharing: SharedReads(of: plan.values), for: rows, of: { $0 }
    ) { row, reader in
      let all = try values.map { try $0.uncheckedValue(of: row, reading: reader) }
      try checks.check { all[$0] }
      found.append(FetchedRow(row: row, values: all))
    }
    return found
  }
}
