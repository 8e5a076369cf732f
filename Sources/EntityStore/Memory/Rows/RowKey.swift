/// A value of a row that a result is ordered by: read from the object, or kept beside it.
package struct RowKey: @unchecked Sendable {
  // @unchecked: the closure captures constants only.
  private enum Source {
    case own((UnsafeRawPointer) -> StoredValue)
    case kept(Int)
  }

  private let source: Source

  /// The key of an expression.
  ///
  /// - Parameters:
  ///   - expression: what is read.
  ///   - entity: the entity of the rows.
  ///   - place: where the value is kept among a row's values, for what the object alone doesn't give.
  package init(
    _ expression: QueryExpression, of entity: EntityDescription,
    place: (QueryExpression) -> Int
  ) {
    let form = CompiledExpression(expression, of: entity)
    if case .own(let read) = form.read {
      source = .own(read)
    } else {
      source = .kept(place(expression))
    }
  }

  /// The value for an object and what is kept beside it.
  package func value(_ row: EntityRow, _ values: RowValues?) -> StoredValue {
    withExtendedLifetime(row) { value(row.box.object, values) }
  }

  @inline(__always)
  func value(_ object: UnsafeRawPointer, _ values: RowValues?) -> StoredValue {
    switch source {
    case .own(let read): read(object)
    case .kept(let place): values?.all[place] ?? .null
    }
  }
}
