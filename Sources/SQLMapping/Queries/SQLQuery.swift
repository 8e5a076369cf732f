@_spi(Storage) package import EntityStore

/// A fetch plan as SQL.
///
/// The parts that SQL can't express are left to the library.
package struct SQLQuery {
  /// SQL that selects the entity's columns, if objects are asked for, and then the values that SQL
  /// can express.
  package let select: SQLTranslation.Piece
  /// The conditions that still have to be checked.
  ///
  /// All of them must hold.
  package let residual: [QueryExpression]
  /// True if the rows come in the plan's order.
  package let isSorted: Bool
  /// True if the rows also come within the plan's limit.
  package let isFinished: Bool
  /// The number of rows that are needed of those that meet the residual conditions, or nil for all.
  package let end: Int?
  /// The column of each value of the plan, or nil if the value still has to be evaluated.
  package let valueColumns: [Int?]
  private let entity: EntityDescription

  package init(_ plan: FetchPlan, _ dialect: any SQLDialect, withObjects: Bool = true) {
    entity = plan.entity
    let scope = SQLScope(plan.entity, dialect)
    var translation = SQLTranslation(scope: scope)
    if plan.limit != nil { translation.ordering = plan.entity.indexed(plan.order.first) }
    let isOneObject = plan.entity.lookup(plan.filter)?.columns == [plan.entity.identity]
    /// Returns true if the database would make a value again for each row of the same owner, which
    /// takes the square of the owner's objects.
    func repeatsWorkInSQL(_ expression: QueryExpression) -> Bool {
      !dialect.remembersSubqueries && !isOneObject && SharedReads(of: [expression]) == .values
    }
    let (conditions, residual) = Self.split(plan.filter, translation, leavingOut: repeatsWorkInSQL)
    self.residual = residual

    var selected = SQLTranslation.Piece?.none
    var next = 0
    if withObjects {
      let names = plan.entity.sqlColumns.map { "\(scope.alias).\($0.quotedName)" }
      selected = SQLTranslation.Piece(sql: names.joined(separator: ", "))
      next = names.count
    }
    var columns: [Int?] = []
    var count = conditions?.values.count ?? 0
    // With a limit, few rows are left. So SQL computes their values one by one. A joined value is
    // computed for all rows before the limit, and a value that is computed here reads all of an
    // owner's objects.
    let hasLimit = plan.limit != nil
    var ofValues = translation
    ofValues.joinsValues = !hasLimit
    for value in plan.values {
      guard hasLimit || !repeatsWorkInSQL(value),
        let piece = ofValues.expressed(value: value, after: count)
      else {
        columns.append(nil)
        continue
      }
      selected = selected.map { $0 + ", " + piece } ?? piece
      columns.append(next)
      count += piece.values.count
      next += 1
    }
    valueColumns = columns

    let keys = plan.order.map { key -> SQLTranslation.Piece? in
      // With a limit, all rows would be read here only to be sorted.
      if !hasLimit && repeatsWorkInSQL(key.expression) { return nil }
      let piece = translation.expressed(order: key, after: count)
      count += piece?.values.count ?? 0
      return piece
    }
    let isSorted = keys.allSatisfy { $0 != nil }
    isFinished = isSorted && residual.isEmpty
    end = isSorted && !residual.isEmpty ? plan.end : nil
    self.isSorted = isSorted
    // Where SQL can express no value, nothing is selected, and nobody runs the statement.
    var sql = Self.select(
      selected ?? SQLTranslation.Piece(sql: "1"), from: scope, where: conditions)
    if isSorted {
      sql = sql + Self.orderBy(keys.compactMap(\.self))
      if residual.isEmpty && (plan.limit != nil || plan.offset > 0) {
        sql = sql + dialect.limit(plan.limit, plan.offset)
      }
    }
    select = sql
  }

  /// The residual conditions as one, prepared; nil if there is none.
  ///
  /// It tests them in the same order as memory does, which matters for a sum that may throw.
  package var condition: CompiledExpression? {
    residual.isEmpty ? nil : CompiledExpression(.and(residual), of: entity)
  }

  /// Returns the conditions and values of a plan that are evaluated here, object by object.
  package func evaluatedHere(of plan: FetchPlan) -> [QueryExpression] {
    residual + zip(plan.values, valueColumns).filter { $1 == nil }.map(\.0)
  }

  /// The FROM is written last, because the joins are complete only then.
  package static func select(
    _ selected: SQLTranslation.Piece, from scope: SQLScope, where conditions: SQLTranslation.Piece?
  ) -> SQLTranslation.Piece {
    let sql = "SELECT " + selected + " FROM " + scope.source
    return conditions.map { sql + " WHERE " + $0 } ?? sql
  }

  package static func orderBy(_ keys: [SQLTranslation.Piece]) -> SQLTranslation.Piece {
    var orderBy: SQLTranslation.Piece?
    for key in keys { orderBy = orderBy.map { $0 + ", " + key } ?? key }
    return orderBy.map { " ORDER BY " + $0 } ?? SQLTranslation.Piece(sql: "")
  }

  /// Returns the part of a condition that SQL can express, and the rest.
  ///
  /// The rest has also the parts for which `isLeftOut` returns true.
  package static func split(
    _ filter: QueryExpression?, _ translation: SQLTranslation,
    leavingOut isLeftOut: (QueryExpression) -> Bool = { _ in false }
  ) -> (SQLTranslation.Piece?, [QueryExpression]) {
    guard let filter else { return (nil, []) }
    let parts = filter.conjuncts
    var said: [SQLTranslation.Piece] = []
    var residual: [QueryExpression] = []
    var count = 0
    for part in parts {
      if !isLeftOut(part), let piece = translation.expressed(part, of: parts.count, after: count) {
        said.append(piece)
        count += piece.values.count
      } else {
        residual.append(part)
      }
    }
    return (SQLTranslation.joined(said, by: " AND "), residual)
  }
}

extension EntityDescription {
  /// Returns the attribute of the object itself that an order begins with, if an index has it.
  fileprivate func indexed(_ key: SortKey?) -> AttributePath? {
    guard let key, key.collation == .stored, case .attribute(let path) = key.expression,
      path.steps.isEmpty,
      path.column == identity || references.contains(path.column)
        || (uniqueKeys + indexes).contains(where: { $0.first == path.column })
    else { return nil }
    return path
  }
}
