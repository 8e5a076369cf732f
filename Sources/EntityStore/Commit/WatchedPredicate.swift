/// A test of one attribute: its value is one of several, or within bounds.
///
/// A change concerns an observer only if the old or the new value passes.
///
/// So a commit finds the observers that it concerns by the attribute's values.
package struct WatchedPredicate: Sendable {
  enum Kind: Sendable {
    case values(Set<StoredValue>)
    case bounds(ValueBounds)
  }

  let column: Int
  let kind: Kind
}

extension WatchedPredicate {
  /// Creates the narrowest predicate that holds for every object that meets a condition.
  ///
  /// It is nil if the condition fixes no attribute of the object itself.
  package init?(_ condition: QueryExpression) {
    guard let entity = Self.entity(of: condition) else { return nil }
    var predicates: [WatchedPredicate] = []
    for (column, value) in condition.fixedValues {
      predicates.append(WatchedPredicate(column: column, kind: .values([value])))
    }
    for (column, values) in condition.lists {
      let values = Set(values).subtracting([.null])
      predicates.append(WatchedPredicate(column: column, kind: .values(values)))
    }
    for (column, bounds) in condition.bounds {
      predicates.append(WatchedPredicate(column: column, kind: .bounds(bounds)))
    }
    let widths = predicates.map { $0.width(in: entity) }
    let narrowest = predicates.indices.min { a, b in
      (widths[a], predicates[a].column) < (widths[b], predicates[b].column)
    }
    guard let narrowest else { return nil }
    self = predicates[narrowest]
  }

  /// Returns the entity whose objects a condition tests by attributes of their own, if it does.
  private static func entity(of condition: QueryExpression) -> EntityDescription? {
    var entity: EntityDescription?
    condition.forEachPart { part, way in
      if way.isEmpty, case .attribute(let path) = part { entity = path.root }
    }
    return entity
  }

  /// The number of values in a list that is narrow: each is registered.
  private static let mostValues = 16

  /// Returns a number that is lower, the fewer objects are likely to pass.
  private func width(in entity: EntityDescription) -> Int {
    // Most objects have the same one of two values, or nil.
    let isTruth = AttributePath(root: entity, steps: [], column: column).isTruth
    switch kind {
    case .values(let values):
      if isTruth || values.contains(.null) { return 6 }
      if values.count > Self.mostValues { return 4 }
      let isUnique = column == entity.identity || entity.uniqueKeys.contains([column])
      let attribute = isUnique ? 0 : entity.columns[column].reference != nil ? 1 : 2
      // A few ids are fewer than the objects of one owner.
      return values.count <= 1 || isUnique ? attribute : 3
    case .bounds(let bounds): return bounds.lower == nil || bounds.upper == nil ? 7 : 5
    }
  }
}
