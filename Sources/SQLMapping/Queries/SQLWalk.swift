@_spi(Storage) package import EntityStore

/// A fetch plan as SQL that returns only row numbers and values.
package struct SQLWalk {
  /// SQL that selects the row number and then the values.
  package let select: SQLTranslation.Piece
  private let shapes: [SQLRowShape]

  /// Translates a plan into SQL.
  ///
  /// - Throws: ``/EntityStore/StoreError/notIndexable(entity:part:)`` if SQL can't express all of
  ///   it, ``/EntityStore/StoreError/rowNumbersUnsupported`` if the table numbers no rows.
  package init(_ plan: FetchPlan, _ dialect: any SQLDialect) throws {
    let entity = plan.entity
    let scope = SQLScope(entity, dialect)
    let translation = SQLTranslation(scope: scope)
    let (conditions, residual) = SQLQuery.split(plan.filter, translation)
    if let residual = residual.first {
      throw StoreError.notIndexable(entity: entity.name, part: "the condition \(residual)")
    }
    var selected = SQLTranslation.Piece(sql: "\(scope.alias).\(try dialect.rowNumber(of: entity))")
    var shapes: [SQLRowShape] = []
    var count = conditions?.values.count ?? 0
    for value in plan.values {
      if case .attribute(let path) = value, path.part == nil, scope.column(path) == nil {
        // A composite id, part by part.
        selected = selected + ", " + scope.columns(path).joined(separator: ", ")
        shapes.append(SQLRowShape([path.target.columns[path.column]]))
      } else if let piece = translation.expressed(value: value, after: count) {
        count += piece.values.count
        selected = selected + ", " + piece
        shapes.append(SQLRowShape.value)
      } else {
        throw StoreError.notIndexable(entity: entity.name, part: "the value \(value)")
      }
    }
    self.shapes = shapes
    let keys = try plan.order.map { key in
      guard let piece = translation.expressed(order: key, after: count) else {
        throw StoreError.notIndexable(entity: entity.name, part: "the order by \(key.expression)")
      }
      count += piece.values.count
      return piece
    }
    select = SQLQuery.select(selected, from: scope, where: conditions) + SQLQuery.orderBy(keys)
  }

  /// Returns the values of a row, in which `value` returns the value in a column.
  package func values(_ value: (Int) -> StoredValue) -> [StoredValue] {
    var column = 1
    return shapes.map { shape in
      defer { column += shape.width }
      return shape.values(from: column, value)[0]
    }
  }
}
