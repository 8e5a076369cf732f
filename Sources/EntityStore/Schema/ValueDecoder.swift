/// A decoder that makes values of a type from their stored forms.
final class ValueDecoder<Value>: AnyValueDecoder, @unchecked Sendable {
  // @unchecked, since it inherits: the closure is a constant and Sendable.
  let decode: @Sendable (StoredValue) throws -> Value

  init(
    parts: [@Sendable (StoredValue) throws -> Void] = [],
    _ decode: @escaping @Sendable (StoredValue) throws -> Value
  ) {
    self.decode = decode
    super.init(type: Value.self, parts: parts)
  }

  override var samples: [StoredValue] { storedCases(of: Value.self) }

  override func check(_ stored: StoredValue) throws { _ = try decode(stored) }
}

/// Returns the stored forms of the first cases of a type, if the type, or the type that it wraps,
/// lists them.
private func storedCases(of type: Any.Type) -> [StoredValue] {
  if let type = type as? any OptionalValue.Type { return storedCases(of: type.wrappedType) }
  return (type as? any CaseIterable.Type).map { storedForms($0) } ?? []
}

private func storedForms<Value: CaseIterable>(_ type: Value.Type) -> [StoredValue] {
  Value.allCases.prefix(3).compactMap { ($0 as? any Storable)?.storedValue }
}
