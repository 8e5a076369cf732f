internal import Locking

/// A composite id in a query.
///
///     query.filter {
///       $0.id.train == 3
///       $0.id != Seat.ID(train: 3, number: 7)
///     }
@dynamicMemberLookup
public struct IDParts<Root: Entity, ID: CompositeID>: Sendable {
  let root: EntityDescription
  let steps: [ReferenceStep]
  let column: Int

  private var target: EntityDescription { steps.last?.target ?? root }

  /// Returns one part of the id.
  public subscript<Value: Storable>(dynamicMember path: KeyPath<ID, Value>) -> Field<Root, Value> {
    let column = target.columns[column]
    guard let part = column.part(path) else {
      mistake(
        "\(path) is no part of \(target.name)'s id; list it after its initialiser")
    }
    return Field(
      .attribute(
        AttributePath(root: root, steps: steps, column: self.column, part: part)))
  }

  private var whole: QueryExpression {
    .attribute(AttributePath(root: root, steps: steps, column: column))
  }

  /// Returns an id as it is stored here.
  ///
  /// In an attribute beside the object's own id, that is one value, not the parts.
  private func stored(_ id: ID) -> StoredValue {
    let value = column == target.identity ? nil : (id as? any Storable)?.storedValue
    return (value ?? target.storedID(id)).checkedOperand
  }

  /// Returns the condition that the ids are the same.
  ///
  /// - Precondition: no part of `id` is NaN.
  public static func == (parts: IDParts, id: ID) -> Condition<Root> {
    Condition(.comparison(.equal, parts.whole, .constant(parts.stored(id))))
  }

  /// Returns the condition that the ids differ.
  ///
  /// - Precondition: no part of `id` is NaN.
  public static func != (parts: IDParts, id: ID) -> Condition<Root> {
    Condition(.comparison(.notEqual, parts.whole, .constant(parts.stored(id))))
  }

  /// The condition that there is no id: a reference on the path is nil, or its object is missing.
  public var isNil: Condition<Root> {
    Condition(.comparison(.equal, whole, .constant(.null)))
  }

  /// Returns the condition that the id is one of `ids`.
  ///
  /// - Precondition: no part of any of them is NaN.
  public func `in`(_ ids: some Sequence<ID>) -> Condition<Root> {
    Condition(.isIn(whole, ids.map { stored($0) }))
  }

  /// The order with smaller ids first: by the first part, then by the second, and so on.
  public var ascending: Ordering<Root> {
    Ordering(key: SortKey(whole, isAscending: true))
  }

  /// The order with larger ids first.
  public var descending: Ordering<Root> {
    Ordering(key: SortKey(whole, isAscending: false))
  }
}
