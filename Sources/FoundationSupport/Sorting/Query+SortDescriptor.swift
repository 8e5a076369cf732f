@_spi(Storage) public import EntityStore
public import Foundation

extension Query {
  /// Returns the query in the order of sort descriptors.
  ///
  ///     let query = try Query<Car>().sorted([SortDescriptor(\.year, order: .reverse)])
  ///
  /// Nil comes first, and last in a reverse order, as in Foundation. Equal objects are ordered by
  /// id. Text without a comparator, or with `.lexical`, is in the order of its bytes. That is the
  /// order of Swift's `<` for text in the usual composed form (NFC). Apple's systems also have
  /// `.localized` and `.localizedStandard`, and use one of them if no comparator is named. They
  /// become ``EntityStore/ValueComparator/localized(_:)`` and
  /// ``EntityStore/ValueComparator/localizedStandard``. A type with its own `<` is in that order.
  ///
  /// - Throws: ``QueryTranslationError`` for a property that isn't an attribute.
  public func sorted(_ descriptors: [SortDescriptor<Root>]) throws(QueryTranslationError) -> Query {
    var orderings: [Ordering<Root>] = []
    for descriptor in descriptors { orderings.append(try Self.ordering(descriptor)) }
    return sorted { _ in orderings }
  }

  private static func ordering(_ descriptor: SortDescriptor<Root>) throws(QueryTranslationError)
    -> Ordering<Root>
  {
    let entity = Root.schema.entity
    guard let path = descriptor.keyPath, let column = entity.columnIfListed(path) else {
      throw QueryTranslationError(
        entity: entity.name, part: descriptor.keyPath?.readableName ?? "this sort descriptor",
        advice:
          "only properties that the schema lists are attributes; list it there, or name a part "
          + "or a related object in braces, sorted { [$0.owner.name.ascending] }")
    }
    let attribute = QueryExpression.column(column, of: entity)
    let valueType =
      (type(of: path).valueType as? any OptionalValue.Type)?.wrappedType
      ?? type(of: path).valueType
    if let text = descriptor.stringComparator?.comparator {
      return ordering(attribute, by: text, descriptor.order)
    }
    if StoredOrder.isOrder(of: valueType) {
      // A key has no type, so any type will do.
      let field = Field<Root, Int>(attribute)
      return descriptor.order == .forward ? field.ascending : field.descending
    }
    // An id with parts is stored as these, even if its type is storable.
    guard entity.columns[column].type != .list,
      let valueType = valueType as? any (Storable & Comparable).Type
    else {
      throw QueryTranslationError(
        entity: entity.name, part: "the order of \(valueType)",
        advice: "name its parts in braces, sorted { [$0.id.train.ascending] }")
    }
    return ordering(attribute, valueType, descriptor.order)
  }

  private static func ordering<Value: Storable & Comparable>(
    _ attribute: QueryExpression, _ type: Value.Type, _ order: SortOrder
  ) -> Ordering<Root> {
    ordering(attribute, by: ValueComparator<Value>.comparable, order)
  }

  private static func ordering<Value>(
    _ attribute: QueryExpression, by comparator: ValueComparator<Value>, _ order: SortOrder
  ) -> Ordering<Root> {
    let field = Field<Root, Value>(attribute)
    return order == .forward ? field.ascending(by: comparator) : field.descending(by: comparator)
  }
}

extension String.StandardComparator {
  /// The comparator of a query for this order, or nil for the order of the bytes.
  fileprivate var comparator: ValueComparator<String>? {
    // Other systems have only `.lexical`.
    #if canImport(Darwin)
    if self == .localizedStandard { return .localizedStandard }
    if self == .localized { return .localized() }
    #endif
    return nil
  }
}
