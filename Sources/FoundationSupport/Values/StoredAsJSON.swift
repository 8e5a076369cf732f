public import EntityStore

/// A value of a type that isn't `Storable` itself, such as an array or a dictionary, stored as JSON.
///
///     struct Note: Entity {
///       let id: Int
///       var tags: StoredAsJSON<[String]>
///       static let attributes = Attributes(.id(\Note.id), .attribute("tags", \.tags))
///       static let schema = Schema(attributes, Note.init)
///     }
///
///     let note = Note(id: 1, tags: StoredAsJSON(["garden", "2024"]))
///     note.tags.value.count
///
/// Let the value be a struct or an enum: of a class, memory has the instance itself, and a file gives a new one each time.
///
/// The text is the value's own JSON, as if it stood alone: `["garden","2024"]`. Arrays can't be
/// `Storable` in general, because `[UInt8]` is, and stands for bytes.
public struct StoredAsJSON<Value: Codable & Sendable>: Codable, Storable {
  /// The value.
  public var value: Value

  /// The value, to be stored as JSON.
  public init(_ value: Value) { self.value = value }

  /// The value that a decoder holds.
  public init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

  /// Encodes the value, and nothing around it.
  public func encode(to encoder: any Encoder) throws {
    try StableValue(value: value).encode(to: encoder)
  }
}

extension StoredAsJSON: Equatable where Value: Equatable {}
extension StoredAsJSON: Hashable where Value: Hashable {}
