/// Makes the values of an attribute from their stored forms, without the type of the values.
class AnyValueDecoder: @unchecked Sendable {
  // @unchecked: a class with subclasses can't be checked; it and its only subclass have constants alone.
  /// The type of the values.
  final let type: Any.Type

  /// The check of each part of a composite id; otherwise none.
  private final let parts: [@Sendable (StoredValue) throws -> Void]

  fileprivate init(type: Any.Type, parts: [@Sendable (StoredValue) throws -> Void]) {
    self.type = type
    self.parts = parts
  }

  /// Throws if a stored form is none of a value of the type.
  func check(_ stored: StoredValue) throws {}

  /// The stored forms of a few values, if the type is one whose values can be listed.
  var samples: [StoredValue] { [] }

  /// Throws if a stored form is none of one part of the type.
  final func check(_ stored: StoredValue, ofPart part: Int) throws { try parts[part](stored) }
}

/// Makes values of a type from their stored forms.
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

/// The stored forms of the first cases of a type that lists them, or of what an optional one wraps.
private func storedCases(of type: Any.Type) -> [StoredValue] {
  if let type = type as? any OptionalOfSome.Type { return storedCases(of: type.wrapped) }
  return (type as? any CaseIterable.Type).map { storedForms($0) } ?? []
}

private func storedForms<Value: CaseIterable>(_ type: Value.Type) -> [StoredValue] {
  Value.allCases.prefix(3).compactMap { ($0 as? any Storable)?.storedValue }
}

/// An optional, whatever it wraps.
private protocol OptionalOfSome {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalOfSome {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}
