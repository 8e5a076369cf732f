/// Makes the values of an attribute from their stored forms, without the type of the values.
class AnyValueDecoder: @unchecked Sendable {
  // @unchecked: a class with subclasses can't be checked; it and its only subclass have constants alone.
  /// The type of the values.
  final let type: Any.Type

  fileprivate init(type: Any.Type) { self.type = type }
}

/// Makes values of a type from their stored forms.
final class ValueDecoder<Value>: AnyValueDecoder, @unchecked Sendable {
  // @unchecked, since it inherits: the closure is a constant and Sendable.
  let decode: @Sendable (StoredValue) throws -> Value

  init(_ decode: @escaping @Sendable (StoredValue) throws -> Value) {
    self.decode = decode
    super.init(type: Value.self)
  }
}
