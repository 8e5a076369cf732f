@_spi(Storage) public import EntityStore
internal import Locking

extension EntityView {
  /// Returns a value that the query computes and includes, or nil if there is none.
  ///
  ///     let orders = try FetchedObjectsModel(
  ///       Query<Order>().including { $0.price * $0.pieces }, in: store)
  ///     for row in orders.snapshot.rows { print(row.computed { $0.price * $0.pieces } ?? 0) }
  ///
  /// To read a value, repeat the expression by which it is included. Another expression traps, even
  /// if it means the same. Give it a name in an extension of `Row`, to write it once.
  ///
  /// - Precondition: The query includes the value, and this is the result's own object.
  public func computed<Value: Storable>(_ field: (Row<E, E>) -> Field<E, Value>) -> Value? {
    let stored = stored(Field(field).expression)
    return stored.isNull ? nil : InclusionTree.value(stored)
  }

  /// Returns true if a condition that the query includes is met.
  ///
  ///     let todos = try FetchedObjectsModel(
  ///       Query<Todo>().including { $0.due < Moment.now }, in: store)
  ///     for row in todos.snapshot.rows { print(row.computed { $0.due < Moment.now }) }
  ///
  /// - Precondition: The query includes the condition, and this is the result's own object.
  public func computed(_ condition: (Row<E, E>) -> Condition<E>) -> Bool {
    let stored = stored(Field(condition).expression)
    return stored.isNull ? false : InclusionTree.value(stored)
  }

  private func stored(_ expression: QueryExpression) -> StoredValue {
    mustHold(
      included.isRoot,
      "\(included.name) has no computed values; read them from the row that the query returns")
    guard case .attribute(let path) = expression else {
      return included.stored(expression, of: result.values)
    }
    let whole: StoredValue
    if path.steps.isEmpty {
      whole = result.row.value(at: path.column)
    } else {
      let end = path.steps.reduce(InclusionTree?.some(included)) { $0?.steps[$1.column] }
      guard let place = end?.places[path.column] else { InclusionTree.isMissing(expression) }
      whole = result.values?.all[place] ?? .null
    }
    // A row has the whole id of each object that it includes.
    guard let part = path.part else { return whole }
    guard case .list(let parts) = whole else { return .null }
    return parts[part]
  }
}

extension InclusionTree {
  /// Returns the stored form of a computed value in a row.
  ///
  /// - Precondition: The value is included.
  func stored(_ expression: QueryExpression, of values: RowValues?) -> StoredValue {
    guard let place = computed[expression] else { Self.isMissing(expression) }
    return values?.all[place] ?? .null
  }

  /// Returns a computed value in a row, or nil if there is none.
  ///
  /// - Precondition: The value is included.
  func value<Value: Storable>(_ expression: QueryExpression, of values: RowValues?) -> Value? {
    let stored = stored(expression, of: values)
    return stored.isNull ? nil : Self.value(stored)
  }

  fileprivate static func value<Value: Storable>(_ stored: StoredValue) -> Value {
    mustRead { try Value(storedValue: stored) }
  }

  fileprivate static func isMissing(_ expression: QueryExpression) -> Never {
    mistake(
      "\(expression) isn't included; add it to what the query or the observed object includes, "
        + ".including { … }, to read it here")
  }
}
