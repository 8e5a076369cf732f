/// A value by which rows are ordered: read from the object, or kept beside it.
package struct RowKey: @unchecked Sendable {
  // @unchecked: the closure captures constants only.
  private enum Source {
    case own((UnsafeRawPointer) -> StoredValue)
    case kept(Int)
  }

  private let source: Source

  /// Creates the key of an expression.
  ///
  /// `place` returns the position of the value among a row's values, if the object alone doesn't
  /// give it.
  package init(
    _ expression: QueryExpression, of entity: EntityDescription,
    place: (QueryExpression) -> Int
  ) {
    // Its value is that of one instant, so it is kept.
    if expression.isTimed {
      source = .kept(place(expression))
      return
    }
    let form = CompiledExpression(expression, of: entity)
    if case .own(let read) = form.read {
      source = .own(read)
    } else {
      source = .kept(place(expression))
    }
  }

  /// Returns the value for an object and the values kept beside it.
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
