/// Makes the values of an attribute from their stored forms, without the type of the values.
class AnyValueDecoder: @unchecked Sendable {
  // @unchecked: a class with subclasses can't be checked; it and its only subclass have constants alone.
  /// The type of the values.
  final let type: Any.Type

  /// The check of each part of a composite id; otherwise none.
  private final let parts: [@Sendable (StoredValue) throws -> Void]

  init(type: Any.Type, parts: [@Sendable (StoredValue) throws -> Void]) {
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
