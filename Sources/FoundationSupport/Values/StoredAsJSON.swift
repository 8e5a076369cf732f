public import EntityStore
internal import Foundation

/// A value of a type that isn't `Storable` itself, such as an array or a dictionary, stored as
/// JSON.
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
/// The value should be a struct or an enum. A store in memory keeps the instance of a class itself,
/// and a file returns a new one each time.
///
/// The text is the JSON of the value alone: `["garden","2024"]`, or `2.5` for a decimal. Arrays
/// can't be `Storable` in general, because `[UInt8]` is `Storable` and stands for bytes.
public struct StoredAsJSON<Value: Codable & Sendable>: Codable, Storable {
  /// The value.
  public var value: Value

  /// Creates a value to be stored as JSON.
  public init(_ value: Value) { self.value = value }

  /// Creates the value that a decoder holds.
  ///
  /// - Throws: The error of decoding the value.
  public init(from decoder: any Decoder) throws {
    if isPlain(Value.self), let found = try? decoder.singleValueContainer().decode(Value.self) {
      value = found
      return
    }
    // The text may be nested more deeply than what is written. The depth of a stored text is known,
    // and the outermost value has all levels.
    let isStored = StableJSON.storedKey.flatMap { decoder.userInfo[$0] } != nil
    let isChecked = isStored || StableJSON.isChecked
    // Signalbox 0.1.0 let a decimal, a URL and data encode themselves.
    value =
      try isChecked
      ? Value(from: decoder) : StableJSON.$isChecked.withValue(true) { try Value(from: decoder) }
    if let number = value as? Decimal, number.isNaN {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "A decimal NaN has no JSON."))
    }
    if !isChecked, (try? StableJSON.encoded(value)) == nil {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "The value can't be written as JSON; it may be nested too deeply."))
    }
  }

  /// Encodes the value, and nothing around it.
  ///
  /// - Throws: The error of encoding the value.
  public func encode(to encoder: any Encoder) throws {
    try StableValue(value: value).encode(to: encoder)
  }
}

extension StoredAsJSON: Equatable where Value: Equatable {}
extension StoredAsJSON: Hashable where Value: Hashable {}
