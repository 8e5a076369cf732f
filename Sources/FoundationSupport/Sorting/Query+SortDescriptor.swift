public import EntityStore
public import Foundation

extension Query {
  /// The query in the order of sort descriptors.
  ///
  ///     let query = try Query<Car>().sorted([SortDescriptor(\.year, order: .reverse)])
  ///
  /// Nil comes first, and last in a reverse order, as Foundation has it. Equal objects are ordered by
  /// id. Text without a comparator, and with `.lexical`, is in the order of its bytes, which is that
  /// of Swift's `<` for text in the usual composed form (NFC). `.localized` and `.localizedStandard`,
  /// which Apple's systems have and take where no comparator is named, are
  /// ``EntityStore/ValueComparator/localized(_:)`` and
  /// ``EntityStore/ValueComparator/localizedStandard``. A type with a `<` of its own is in that
  /// order.
  ///
  /// - Throws: ``QueryTranslationError`` for a property that is no attribute.
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
    let attribute = QueryExpression.attribute(
      AttributePath(root: entity, steps: [], column: column))
    let valueType =
      (type(of: path).valueType as? any OptionalValue.Type)?.wrappedType
      ?? type(of: path).valueType
    if let text = descriptor.stringComparator?.comparator {
      return ordering(attribute, by: text, descriptor.order)
    }
    if StoredOrder.isOrder(of: valueType) {
      // A key is of no type; any does.
      let field = Field<Root, Int>(attribute)
      return descriptor.order == .forward ? field.ascending : field.descending
    }
    guard let valueType = valueType as? any (Storable & Comparable).Type else {
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
  /// The order as one of a query, or nil for that of the bytes.
  fileprivate var comparator: ValueComparator<String>? {
    // Elsewhere there is only `.lexical`.
    #if canImport(Darwin)
    if self == .localizedStandard { return .localizedStandard }
    if self == .localized { return .localized() }
    #endif
    return nil
  }
}
