internal import Locking

/// The name of an object: its entity's name and the stored form of its id.
///
/// It identifies the same object in every store and every process that knows the entity, as a value
/// and as text:
///
///     let name = ObjectID(Car.self, 7)
///     print(name)                          // Car(7)
///     ObjectID("Car(7)") == name           // true
public struct ObjectID: Hashable, Sendable {
  /// The entity's name.
  public let entityName: String
  /// The stored form of the id.
  public let id: StoredValue

  /// Creates the name of the object of `entityName` with `id`.
  ///
  /// - Precondition: a composite id has at least one part, and no part has parts itself.
  public init(entityName: String, id: StoredValue) {
    if case .list(let parts) = id {
      mustHold(
        !parts.isEmpty, "The id of a \(entityName) has no parts; give it those of its schema")
      for case .list in parts {
        mistake(
          "A part of the id of a \(entityName) has parts itself; list each of them as one of the id"
        )
      }
    }
    self.entityName = entityName
    self.id = id
  }
}

extension ObjectID: LosslessStringConvertible {
  /// The name as text, such as `Car(7)`, `Person("Ann")`, `File(0x0aff)` or `Seat(3, 7)`.
  ///
  /// A composite id of one part is written as `Boat(3,)`. The name of an entity is quoted like text
  /// unless it has only letters, digits, underscores and dots. In quotes, control characters, line
  /// ends and direction marks are written as escapes, such as `\n` and `\u{1B}`. So a description
  /// takes one line of a log, and a terminal shows every character.
  ///
  /// Equal names have equal descriptions, and a name can be made from its description. The
  /// exception is NaN, which names no object: its description isn't accepted.
  public var description: String { text(writtenName, ObjectIDScanner.literal) }

  /// Returns the name as text, with the entity's name and values as they are given.
  func text(_ name: String, _ written: (StoredValue) -> String) -> String {
    guard case .list(let parts) = id else { return "\(name)(\(written(id)))" }
    return parts.count == 1 ? "\(name)(\(written(parts[0])),)" : name + written(id)
  }

  /// The name of the entity as it is written in a description.
  var writtenName: String {
    let isPlain =
      !entityName.isEmpty && entityName.unicodeScalars.allSatisfy(ObjectIDScanner.isPlain)
    return isPlain ? entityName : ObjectIDScanner.quoted(entityName)
  }

  /// Creates the name that a description describes, or returns nil if the text is no description.
  ///
  /// - Complexity: O(*n*) for a text of *n* bytes, whatever they are.
  public init?(_ description: String) {
    var scanner = ObjectIDScanner(description)
    // Each name is accepted in one spelling only, so that equal names are equal texts.
    guard let object = scanner.objectID(), TextBytes.equal(object.description, description) else {
      return nil
    }
    self = object
  }
}

extension ObjectID: Codable {
  /// Encodes the description.
  ///
  /// - Throws: `EncodingError.invalidValue` if the id or a part of it is NaN, since that names no
  ///   object and couldn't be decoded; the encoder's error.
  public func encode(to encoder: any Encoder) throws {
    guard !id.isNaN else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "\(brief) names no object, since NaN is no id"))
    }
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Creates the name from its description.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the text is no description; the decoder's error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let object = ObjectID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\(StoredValue.text(text).brief) names no object; a name is like Car(7)")
    }
    self = object
  }
}

extension ObjectID: Comparable {
  /// Returns true if `a` comes before `b`, by the name of the entity and then by id.
  public static func < (a: ObjectID, b: ObjectID) -> Bool {
    let order = TextBytes.compare(a.entityName, b.entityName)
    return order == 0 ? a.id < b.id : order < 0
  }
}

extension ObjectID {
  /// Returns true if both have the same name and id, with text compared byte by byte (S8).
  public static func == (a: ObjectID, b: ObjectID) -> Bool {
    TextBytes.equal(a.entityName, b.entityName) && a.id == b.id
  }

  /// Hashes the name and the id.
  public func hash(into hasher: inout Hasher) {
    TextBytes.hash(entityName, into: &hasher)
    hasher.combine(id)
  }
}
