internal import EntityStore

/// A fetch plan as SQL, with what SQL can't say left over for us.
struct SQLQuery {
  /// SQL that selects the entity's columns and then the values it can say.
  let select: SQLTranslation.Piece
  /// The conditions that are still to be checked, all of which must hold.
  let residual: [QueryExpression]
  /// Whether the rows come in the plan's order.
  let isSorted: Bool
  /// Whether they also come within its limit.
  let isFinished: Bool
  /// For each value of the plan, its column, or nil if it is still to be evaluated.
  let valueColumns: [Int?]

  init(_ plan: FetchPlan) {
    let scope = SQLScope(plan.entity)
    let translation = SQLTranslation(scope: scope)
    let (conditions, residual) = Self.split(plan.filter, translation)
    self.residual = residual

    var selected = SQLTranslation.Piece(
      sql: plan.entity.sqlColumns.map { "\(scope.alias).\($0.quotedName)" }
        .joined(separator: ", "))
    var columns: [Int?] = []
    var next = plan.entity.sqlColumns.count
    for value in plan.values {
      guard let piece = translation.value(value) else {
        columns.append(nil)
        continue
      }
      selected = selected + ", " + piece
      columns.append(next)
      next += 1
    }
    valueColumns = columns

    let keys = plan.order.map(translation.order)
    let isSorted = keys.allSatisfy { $0 != nil }
    isFinished = isSorted && residual.isEmpty
    self.isSorted = isSorted
    // The joins are complete only now: FROM is written last.
    var sql = "SELECT " + selected + " FROM \(scope.from)"
    if let conditions { sql = sql + " WHERE " + conditions }
    if isSorted {
      var orderBy: SQLTranslation.Piece?
      for case let key? in keys { orderBy = orderBy.map { $0 + ", " + key } ?? key }
      if let orderBy { sql = sql + " ORDER BY " + orderBy }
      if residual.isEmpty && (plan.limit != nil || plan.offset > 0) {
        let limit = plan.limit.map(Int64.init) ?? -1
        sql =
          sql
          + SQLTranslation.Piece(
            sql: " LIMIT ? OFFSET ?", values: [.integer(limit), .integer(Int64(plan.offset))])
      }
    }
    select = sql
  }

  /// The part of a condition that SQL can say, and the rest.
  private static func split(_ filter: QueryExpression?, _ translation: SQLTranslation) -> (
    SQLTranslation.Piece?, [QueryExpression]
  ) {
    guard let filter else { return (nil, []) }
    let parts: [QueryExpression] = if case .and(let parts) = filter { parts } else { [filter] }
    var said: [SQLTranslation.Piece] = []
    var residual: [QueryExpression] = []
    var count = 0
    for part in parts {
      if let piece = translation.sayable(part, after: count) {
        said.append(piece)
        count += piece.values.count
      } else {
        residual.append(part)
      }
    }
    return (SQLTranslation.joined(said, by: " AND "), residual)
  }
}
