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

  /// Creates the narrowest predicate that holds for every object that meets a condition.
  ///
  /// It is nil if the condition fixes no attribute of the object itself.
  package init?(_ condition: QueryExpression) {
    if let (column, value) = condition.fixedValues.min(by: { $0.key < $1.key }) {
      self.init(column: column, kind: .values([value]))
    } else if let (column, values) = condition.lists.min(by: { $0.key < $1.key }) {
      self.init(column: column, kind: .values(Set(values).subtracting([.null])))
    } else if let (column, bounds) = condition.bounds.min(by: { $0.key < $1.key }) {
      self.init(column: column, kind: .bounds(bounds))
    } else {
      return nil
    }
  }

  private init(column: Int, kind: Kind) {
    self.column = column
    self.kind = kind
  }
}
