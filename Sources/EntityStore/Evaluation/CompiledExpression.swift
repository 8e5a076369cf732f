internal import Locking

/// An expression of a query, prepared for many objects.
///
/// It is for a custom storage, which receives conditions, keys and values as data:
///
///     let condition = plan.filter.map { CompiledExpression($0, of: plan.entity) }
///     for row in rows where try condition?.isTrue(of: row, reading: self) ?? true { … }
///
/// Its results are those of a store in memory and in a file: conditions are two-valued, text is
/// compared by its bytes, and a step through nil is nil. Related objects are read from the reader,
/// by `row(of:id:)` and `ids(of:where:equal:)`. An expression that reads the object alone is a few
/// closures over the object's memory, of three or four nanoseconds each.
@_spi(Storage) public struct CompiledExpression: @unchecked Sendable {
  // @unchecked: the closures capture constants only.
  let test: CompiledTest
  let read: CompiledValue
  private let entity: EntityDescription

  /// Creates the expression for objects of `entity`.
  ///
  /// - Precondition: the expression is about that entity.
  public init(_ expression: QueryExpression, of entity: EntityDescription) {
    let compiler = ExpressionCompiler(entity: entity)
    let expression = expression.withSumsLast
    test = compiler.test(expression)
    read = compiler.value(expression)
    self.entity = entity
  }

  /// Returns the value for an object; that of a condition is 1 or 0.
  ///
  /// - Throws: the reader's error.
  /// - Precondition: the object is one of the entity.
  public func value(of row: EntityRow, reading reader: any StorageReader) throws -> StoredValue {
    check(row)
    return try uncheckedValue(of: row, reading: reader)
  }

  /// Returns true if the condition is true of an object.
  ///
  /// A value is true if it is a whole number other than 0.
  ///
  /// - Throws: the reader's error.
  /// - Precondition: the object is one of the entity.
  public func isTrue(of row: EntityRow, reading reader: any StorageReader) throws -> Bool {
    check(row)
    return try isTrueUnchecked(of: row, reading: reader)
  }

  /// Returns the value for an object that is known to be one of the entity.
  package func uncheckedValue(
    of row: EntityRow, reading reader: any StorageReader
  ) throws -> StoredValue { try read(row, reading: reader) }

  /// Returns true if the condition is true of an object that is known to be one of the entity.
  package func isTrueUnchecked(of row: EntityRow, reading reader: any StorageReader) throws -> Bool
  {
    try test(row, reading: reader)
  }

  /// True if it reads other objects than the one of which it is asked.
  var readsOthers: Bool { if case .foreign = read { true } else { false } }

  private func check(_ row: EntityRow) {
    mustHold(
      row.entity == entity,
      "An expression on \(entity.name) is asked of a \(row.entity.name); ask it of its own entity's objects"
    )
  }
}

extension QueryExpression {
  /// The condition with those parts last that add up whole numbers, which may throw.
  ///
  /// A database tests the other parts first, in whatever order they are written. So all storages
  /// have to make the sums of the same objects.
  fileprivate var withSumsLast: QueryExpression {
    guard case .and = self, hasWholeSums else { return self }
    let parts = conjuncts
    return .and(parts.filter { !$0.hasWholeSums } + parts.filter(\.hasWholeSums))
  }
}
