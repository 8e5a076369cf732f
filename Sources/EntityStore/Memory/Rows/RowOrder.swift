/// The order of a result's rows: by some keys, which may be values of other objects, then by id.
///
/// Rows are told apart by a prefix, a number of the first key's first eight bytes. Only rows with
/// the same prefix are compared by what they hold.
package struct RowOrder: @unchecked Sendable {
  // @unchecked: the closures capture constants only.
  private struct Key {
    let order: SortKey
    let value: RowKey
  }

  private let keys: ContiguousArray<Key>
  /// Reads a prefix that says all about the first key.
  private let exactPrefix: ((UnsafeRawPointer) -> UInt64)?
  private let id: (UnsafeRawPointer) -> StoredValue

  /// The order by some keys and then by id.
  ///
  /// - Parameters:
  ///   - order: the keys.
  ///   - entity: the entity of the rows.
  ///   - place: where the value of an expression is kept among a row's values, for what the object
  ///     alone doesn't give.
  package init(
    _ order: [SortKey], of entity: EntityDescription, place: (QueryExpression) -> Int
  ) {
    keys = ContiguousArray(
      order.map { Key(order: $0, value: RowKey($0.expression, of: entity, place: place)) })
    exactPrefix = order.first?.exactPrefixReader(of: entity)
    id = entity.access[entity.identity].read
  }

  /// Whether a row's prefix here is the one that it has in an order that begins with a key.
  package func hasPrefixes(of key: SortKey?) -> Bool { key != nil && keys.first?.order == key }

  /// A number that comes before another row's where the row does, or is the same.
  package func prefix(_ row: EntityRow, _ values: RowValues?) -> UInt64 {
    withExtendedLifetime(row) {
      let object = row.box.object
      if let prefix = exactPrefix?(object) { return prefix }
      guard let first = keys.first else { return id(object).orderedPrefix }
      return first.order.prefix(of: first.value.value(object, values))
    }
  }

  /// The prefix of a row by the value of its first key, or by its id if there is no key.
  package func prefix(first value: StoredValue) -> UInt64 {
    guard let first = keys.first else { return value.orderedPrefix }
    if exactPrefix != nil, case .integer(let number) = value {
      return first.order.exactPrefix(of: number)
    }
    return first.order.prefix(of: value)
  }

  /// Negative, 0 or positive as the first row comes before, is or comes after the second, whose
  /// prefix is the same.
  package func compareTied(
    _ a: EntityRow, _ aValues: RowValues?, _ b: EntityRow, _ bValues: RowValues?
  ) -> Int {
    withExtendedLifetime((a, b)) {
      compare(a.box.object, aValues, b.box.object, bValues, from: exactPrefix == nil ? 0 : 1)
    }
  }

  /// Negative, 0 or positive as the first row comes before, is or comes after the second.
  package func compare(
    _ a: EntityRow, _ aValues: RowValues?, _ b: EntityRow, _ bValues: RowValues?
  ) -> Int {
    withExtendedLifetime((a, b)) {
      compare(a.box.object, aValues, b.box.object, bValues, from: 0)
    }
  }

  private func compare(
    _ a: UnsafeRawPointer, _ aValues: RowValues?, _ b: UnsafeRawPointer, _ bValues: RowValues?,
    from start: Int
  ) -> Int {
    for index in start..<max(start, keys.count) {
      let key = keys[index]
      let order = key.order.compare(key.value.value(a, aValues), key.value.value(b, bValues))
      if order != 0 { return order }
    }
    return id(a).compare(to: id(b))
  }
}
