@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension SQLiteReader {
  func explain(_ plan: FetchPlan) throws -> QueryPlan {
    try check()
    _ = try connection.statements(of: plan.entity)
    let query = SQLQuery(plan, dialect)
    try connection.checkIsInTransaction()
    var steps: [String] = []
    try connection.query("EXPLAIN QUERY PLAN " + query.select.sql).run(query.select.values) {
      steps.append($0.value(3).description)
    }
    return QueryPlan(
      of: plan, language: "SQL", statement: query.select.sql, parameters: query.select.values,
      steps: steps, conditionsHere: query.residual, isSorted: query.isSorted,
      valuesHere: zip(plan.values, query.valueColumns).filter { $1 == nil }.map(\.0),
      isLimited: query.isFinished)
  }
}
