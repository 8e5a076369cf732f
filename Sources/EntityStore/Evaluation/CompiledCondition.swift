internal import Locking

/// A condition that is asked of objects in memory, made ready once.
///
///     let isOld = CompiledCondition<Car> { $0.year < 1990 }
///     if isOld(car) { … }
///
/// It is what a store finds objects by: two-valued, text byte by byte. A comparison of a number takes
/// a few nanoseconds.
public struct CompiledCondition<Root: Entity>: @unchecked Sendable {
  // @unchecked: the closure captures constants only.
  @usableFromInline let test: (UnsafeRawPointer) -> Bool

  /// The condition that all of these hold, one a line.
  ///
  /// - Precondition: they read attributes of the object itself; what reads related objects needs a
  ///   store, and is a query.
  public init(@ConditionBuilder<Root> _ conditions: (Row<Root, Root>) -> Condition<Root>) {
    self.init(conditions(Row(steps: [])).expression)
  }

  init(_ expression: QueryExpression) {
    guard case .own(let test) = CompiledExpression(expression, of: Root.schema.entity).test else {
      mistake(
        "A condition on \(Root.entityName) alone reads related objects; use a query, or a "
          + "FetchedObjectsModel to follow it")
    }
    self.test = test
  }

  /// Whether the condition is true of an object.
  @inlinable public func callAsFunction(_ object: Root) -> Bool {
    withUnsafePointer(to: object) { test(UnsafeRawPointer($0)) }
  }

  /// Whether there is a row and the condition is true of it.
  func callAsFunction(_ row: EntityRow?) -> Bool {
    guard let row else { return false }
    return withExtendedLifetime(row) { test(row.box.object) }
  }
}
