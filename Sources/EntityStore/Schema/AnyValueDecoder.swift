/// A decoder of an attribute's values, without the type of the values.
class AnyValueDecoder: @unchecked Sendable {
  // @unchecked: a class with subclasses can't be checked. It and its only subclass have constants
  // alone.
  final let type: Any.Type

  /// The check of each part of a composite id; empty for other types.
  private final let parts: [@Sendable (StoredValue) throws -> Void]

  init(type: Any.Type, parts: [@Sendable (StoredValue) throws -> Void]) {
    self.type = type
    self.parts = parts
  }

  /// Throws if no value of the type has the stored form.
  func check(_ stored: StoredValue) throws {}

  /// The stored forms of a few values, if the type can list its values.
  var samples: [StoredValue] { [] }

  /// Throws if no value of one part of the type has the stored form.
  final func check(_ stored: StoredValue, ofPart part: Int) throws { try parts[part](stored) }
}
