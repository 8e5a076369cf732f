/// A query's expression, made ready to be asked of many objects.
///
/// Where it reads the object alone it is a few closures over the object's memory, of three or four
/// nanoseconds each. Conditions are two-valued (S7).
package struct CompiledExpression: @unchecked Sendable {
  // @unchecked: the closures capture constants only.

  /// Gives a value, from the object's memory alone or with a reader of others.
  enum Form<Result> {
    case own((UnsafeRawPointer) -> Result)
    case foreign((EntityRow, any StorageReader) throws -> Result)

    func callAsFunction(_ row: EntityRow, reading reader: any StorageReader) throws -> Result {
      switch self {
      case .own(let read): withExtendedLifetime(row) { read(row.box.object) }
      case .foreign(let read): try read(row, reader)
      }
    }

    func map<Other>(_ transform: @escaping (Result) -> Other) -> Form<Other> {
      switch self {
      case .own(let read): .own { transform(read($0)) }
      case .foreign(let read): .foreign { transform(try read($0, $1)) }
      }
    }

    func combined<Other, Both>(
      _ other: Form<Other>, _ combine: @escaping (Result, Other) -> Both
    ) -> Form<Both> {
      if case .own(let a) = self, case .own(let b) = other { return .own { combine(a($0), b($0)) } }
      return .foreign { row, reader in
        combine(try self(row, reading: reader), try other(row, reading: reader))
      }
    }
  }

  let test: Form<Bool>
  let read: Form<StoredValue>

  /// The expression for objects of `entity`.
  package init(_ expression: QueryExpression, of entity: EntityDescription) {
    let compiler = ExpressionCompiler(entity: entity)
    test = compiler.test(expression)
    read = compiler.value(expression)
  }

  /// The value for the object of `row`, whose related objects come from `reader`.
  package func value(of row: EntityRow, reading reader: any StorageReader) throws -> StoredValue {
    try read(row, reading: reader)
  }

  /// Whether the condition is true of the object of `row`.
  package func isTrue(of row: EntityRow, reading reader: any StorageReader) throws -> Bool {
    try test(row, reading: reader)
  }
}
