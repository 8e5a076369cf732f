/// A test of one attribute: a change concerns someone only if the value is one of some, or within bounds.
///
/// A commit finds those whom it concerns by the old and the new value of the attribute.
package struct WatchedPredicate: Sendable {
  enum Kind: Sendable {
    case values(Set<StoredValue>)
    case bounds(ValueBounds)
  }

  let column: Int
  let kind: Kind

  /// The narrowest guard that a condition has: every object that meets the condition passes it.
  ///
  /// There is none if the condition fixes no attribute of the object itself.
  package init?(_ condition: QueryExpression) {
    if let (column, value) = condition.pinned.min(by: { $0.key < $1.key }) {
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
