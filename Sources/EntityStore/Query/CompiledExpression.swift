internal import Locking

/// A query's expression, made ready to be asked of many objects.
///
/// It is for a storage of your own, which is given conditions, keys and values as data:
///
///     let condition = plan.filter.map { CompiledExpression($0, of: plan.entity) }
///     for row in rows where try condition?.isTrue(of: row, reading: self) ?? true { … }
///
/// What it says is what a store in memory and a file say: conditions are two-valued, text is compared by its
/// bytes, a step through nil is nil. Related objects are asked of the reader, by `row(of:id:)` and
/// `ids(of:where:equal:)`. Where it reads the object alone it is a few closures over the object's memory, of
/// three or four nanoseconds each.
public struct CompiledExpression: @unchecked Sendable {
  // @unchecked: the closures capture constants only.
  let test: CompiledTest
  let read: CompiledValue
  private let entity: EntityDescription

  /// The expression for objects of `entity`.
  ///
  /// - Precondition: the expression is about that entity.
  public init(_ expression: QueryExpression, of entity: EntityDescription) {
    let compiler = ExpressionCompiler(entity: entity)
    test = compiler.test(expression)
    read = compiler.value(expression)
    self.entity = entity
  }

  /// The value for an object; a condition's is 1 or 0.
  ///
  /// - Parameters:
  ///   - row: the object.
  ///   - reader: has the related objects.
  /// - Returns: the value.
  /// - Throws: what the reader throws.
  /// - Precondition: the object is one of the entity.
  public func value(of row: EntityRow, reading reader: any StorageReader) throws -> StoredValue {
    check(row)
    return try uncheckedValue(of: row, reading: reader)
  }

  /// Whether the condition is true of an object; a value is true if it is a whole number other than 0.
  ///
  /// - Parameters:
  ///   - row: the object.
  ///   - reader: has the related objects.
  /// - Returns: whether it is.
  /// - Throws: what the reader throws.
  /// - Precondition: the object is one of the entity.
  public func isTrue(of row: EntityRow, reading reader: any StorageReader) throws -> Bool {
    check(row)
    return try isTrueUnchecked(of: row, reading: reader)
  }

  /// The value for an object that is known to be one of the entity.
  package func uncheckedValue(
    of row: EntityRow, reading reader: any StorageReader
  ) throws -> StoredValue { try read(row, reading: reader) }

  /// Whether the condition is true of an object that is known to be one of the entity.
  package func isTrueUnchecked(of row: EntityRow, reading reader: any StorageReader) throws -> Bool
  {
    try test(row, reading: reader)
  }

  private func check(_ row: EntityRow) {
    mustHold(
      row.entity == entity,
      "An expression on \(entity.name) is asked of a \(row.entity.name); ask it of its own entity's objects"
    )
  }
}

/// A value, read from the object's memory alone or with a reader of others.
enum CompiledValue {
  case own((UnsafeRawPointer) -> StoredValue)
  case foreign((EntityRow, any StorageReader) throws -> StoredValue)

  func callAsFunction(_ row: EntityRow, reading reader: any StorageReader) throws -> StoredValue {
    switch self {
    case .own(let read): withExtendedLifetime(row) { read(row.box.object) }
    case .foreign(let read): try read(row, reader)
    }
  }

  /// A test of the value.
  func test(_ holds: @escaping (StoredValue) -> Bool) -> CompiledTest {
    switch self {
    case .own(let read): .own { holds(read($0)) }
    case .foreign(let read): .foreign { holds(try read($0, $1)) }
    }
  }

  /// A test of this value and another.
  func test(
    _ other: CompiledValue, _ holds: @escaping (StoredValue, StoredValue) -> Bool
  ) -> CompiledTest {
    if case .own(let a) = self, case .own(let b) = other { return .own { holds(a($0), b($0)) } }
    return .foreign { row, reader in
      holds(try self(row, reading: reader), try other(row, reading: reader))
    }
  }
}

/// A truth, found in the object's memory alone or with a reader of others.
///
/// It is no generic type beside `CompiledValue`, since a closure in one is called through another.
enum CompiledTest {
  case own((UnsafeRawPointer) -> Bool)
  case foreign((EntityRow, any StorageReader) throws -> Bool)

  func callAsFunction(_ row: EntityRow, reading reader: any StorageReader) throws -> Bool {
    switch self {
    case .own(let test): withExtendedLifetime(row) { test(row.box.object) }
    case .foreign(let test): try test(row, reader)
    }
  }

  static prefix func ! (test: CompiledTest) -> CompiledTest {
    switch test {
    case .own(let test): .own { !test($0) }
    case .foreign(let test): .foreign { !(try test($0, $1)) }
    }
  }

  /// 1 or 0.
  var value: CompiledValue {
    switch self {
    case .own(let test): .own { StoredValue(test($0)) }
    case .foreign(let test): .foreign { StoredValue(try test($0, $1)) }
    }
  }
}
