/// The order of a result's rows: by some keys, which may be values of other objects, then by id.
///
/// Rows are compared by a prefix, a number made of the first key's first eight bytes. Only rows
/// with the same prefix are compared by their values.
package struct RowOrder: @unchecked Sendable {
  // @unchecked: the closures capture constants only.
  private struct Key {
    let order: SortKey
    let value: RowKey
  }

  private let keys: ContiguousArray<Key>
  /// The function that reads the prefix, if the object alone determines it.
  private let ownPrefix: ((UnsafeRawPointer) -> UInt64)?
  /// True if the prefix alone decides about the first key.
  private let isExact: Bool
  private let id: (UnsafeRawPointer) -> StoredValue

  /// Creates the order by some keys and then by id.
  ///
  /// `place` returns the position of an expression's value among a row's values, if the object
  /// alone doesn't give it.
  package init(
    _ order: [SortKey], of entity: EntityDescription, place: (QueryExpression) -> Int
  ) {
    keys = ContiguousArray(
      order.map { Key(order: $0, value: RowKey($0.expression, of: entity, place: place)) })
    ownPrefix = order.first.flatMap { key in
      key.expression.isTimed
        ? nil : key.prefixReader(of: entity, CompiledExpression(key.expression, of: entity))
    }
    isExact = order.first?.exactPrefixReader(of: entity) != nil
    id = entity.access[entity.identity].read
  }

  /// Returns true if a row's prefix here is the same as in an order that begins with `key`.
  package func hasPrefixes(of key: SortKey?) -> Bool { key != nil && keys.first?.order == key }

  /// If a row comes before another one, its prefix is less than the other's or equal to it.
  package func prefix(_ row: EntityRow, _ values: RowValues?) -> UInt64 {
    withExtendedLifetime(row) {
      let object = row.box.object
      if let ownPrefix { return ownPrefix(object) }
      guard let first = keys.first else { return id(object).orderedPrefix }
      return first.order.prefix(of: first.value.value(object, values))
    }
  }

  /// Returns the prefix of a row by the value of its first key, or by its id if there is no key.
  package func prefix(first value: StoredValue) -> UInt64 {
    guard let first = keys.first else { return value.orderedPrefix }
    if isExact, case .integer(let number) = value {
      return first.order.exactPrefix(of: number)
    }
    return first.order.prefix(of: value)
  }

  /// Compares two rows; `areTied` is true if their prefixes are the same.
  ///
  /// - Returns: a negative number if the first row comes before the second, 0 if they are the same,
  ///   and a positive number if it comes after it.
  package func compare(
    _ a: EntityRow, _ aValues: RowValues?, _ b: EntityRow, _ bValues: RowValues?,
    areTied: Bool = false
  ) -> Int {
    withExtendedLifetime((a, b)) {
      let (a, b) = (a.box.object, b.box.object)
      for index in (areTied && isExact ? 1 : 0)..<keys.count {
        let key = keys[index]
        let order = key.order.compare(key.value.value(a, aValues), key.value.value(b, bValues))
        if order != 0 { return order }
      }
      return id(a).compare(to: id(b))
    }
  }
}
