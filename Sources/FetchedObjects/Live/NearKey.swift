@_spi(Storage) internal import EntityStore

/// The place of an object in the order of a query, as conditions on the rows around it.
///
/// This is paging by key ("keyset pagination"). The rows are found by an index on the first key,
/// and no other row is read.
struct NearKey {
  /// The keys of the order and the object's values; a composite id has a key for each part.
  private let keys: [(key: SortKey, value: StoredValue)]
  private let entity: EntityDescription

  init(
    of row: EntityRow, in query: QueryDescription, reading reader: any StorageReader
  ) throws {
    entity = query.entity
    keys = try query.fullOrder.flatMap(\.parts).map { key in
      let value = try CompiledExpression(key.expression, of: query.entity)
        .uncheckedValue(of: row, reading: reader)
      return (key, value)
    }
  }

  /// The condition of the rows before the object.
  var isBefore: QueryExpression { condition(isAscending: false, orEqual: false) }

  /// The condition of the rows after the object, and of the object itself.
  var isAtOrAfter: QueryExpression { condition(isAscending: true, orEqual: true) }

  private func condition(isAscending: Bool, orEqual: Bool) -> QueryExpression {
    var alternatives: [QueryExpression] = []
    var areEqual: [QueryExpression] = []
    for (key, value) in keys {
      if let follows = follows(key, value, isAscending) {
        alternatives.append(.and(areEqual + [follows]))
      }
      areEqual.append(.comparison(.equal, key.expression, .constant(value)))
    }
    if orEqual { alternatives.append(.and(areEqual)) }
    let condition = QueryExpression.or(alternatives)
    return bound(isAscending).map { .and([$0, condition]) } ?? condition
  }

  /// Returns the condition of values after a value in the order of a key, or before it.
  ///
  /// It is nil if there are none.
  private func follows(
    _ key: SortKey, _ value: StoredValue, _ isAscending: Bool
  ) -> QueryExpression? {
    let nilsFollow = key.nilsFirst != isAscending
    let isNil = QueryExpression.comparison(.equal, key.expression, .constant(.null))
    if value.isNull { return nilsFollow ? nil : .not(isNil) }
    let isGreater = QueryExpression.comparison(
      key.isAscending == isAscending ? .greater : .less, key.expression, .constant(value))
    return nilsFollow ? .or([isGreater, isNil]) : isGreater
  }

  /// A condition on the first key alone, which all rows meet, so that an index can give them.
  ///
  /// It is nil if nil follows the value.
  private func bound(_ isAscending: Bool) -> QueryExpression? {
    guard let (key, value) = keys.first, !value.isNull,
      key.nilsFirst == isAscending || !isOptional(key.expression)
    else { return nil }
    return .comparison(
      key.isAscending == isAscending ? .greaterOrEqual : .lessOrEqual, key.expression,
      .constant(value))
  }

  private func isOptional(_ expression: QueryExpression) -> Bool {
    guard case .attribute(let path) = expression, path.steps.isEmpty else { return true }
    return entity.columns[path.column].isOptional
  }
}
