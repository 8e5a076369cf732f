internal import Locking

/// A condition on objects in memory, prepared once.
///
///     let isOld = CompiledCondition<Car> { $0.year < 1990 }
///     if isOld(car) { … }
///
/// It works like a store's filter: it is two-valued, and text is compared byte by byte. A
/// comparison of a number takes a few nanoseconds.
public struct CompiledCondition<Root: Entity>: @unchecked Sendable {
  // @unchecked: the closure captures constants only.
  @usableFromInline let test: (UnsafeRawPointer) -> Bool

  /// Creates the condition that all of these hold, one on each line.
  ///
  /// - Precondition: they read attributes of the object itself. Conditions on related objects need
  ///   a store: use a query.
  public init(@Condition<Root>.Builder _ conditions: (Row<Root, Root>) -> Condition<Root>) {
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

  /// Returns true if the condition is true of an object.
  @inlinable public func callAsFunction(_ object: Root) -> Bool {
    withUnsafePointer(to: object) { test(UnsafeRawPointer($0)) }
  }

  /// Returns true if there is a row and the condition is true of it.
  func callAsFunction(_ row: EntityRow?) -> Bool {
    guard let row else { return false }
    return withExtendedLifetime(row) { test(row.box.object) }
  }
}
