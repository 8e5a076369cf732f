internal import Locking

/// The name of an object: its entity's name and the stored form of its id.
///
/// It means the same object in every store and every process that knows the entity, as a value and
/// as text:
///
///     let name = ObjectID(Car.self, 7)
///     print(name)                          // Car(7)
///     ObjectID("Car(7)") == name           // true
public struct ObjectID: Hashable, Sendable {
  /// The entity's name.
  public let entityName: String
  /// The stored form of the id.
  public let id: StoredValue

  /// The object of `entityName` with `id`.
  ///
  /// - Precondition: a composite id has a part, and no part has parts itself.
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
  /// For example `Car(7)`, `Person("Ann")`, `File(0x0aff)`, `Seat(3, 7)`, or `Boat(3,)` for a composite
  /// id of one part.
  ///
  /// A name that isn't letters, digits, underscores and dots is quoted like text. In quotes, control
  /// characters, line ends and marks of direction are written out, as `\n` and `\u{1B}`, so that a log has one line
  /// of it and a terminal shows what is there. Equal names have
  /// equal descriptions, which give the name back; only NaN, which names no object, has none that does.
  public var description: String {
    let name = writtenName
    if case .list(let parts) = id {
      let list = parts.map(ObjectIDScanner.literal).joined(separator: ", ")
      return parts.count == 1 ? "\(name)(\(list),)" : "\(name)(\(list))"
    }
    return "\(name)(\(ObjectIDScanner.literal(id)))"
  }

  /// The name of the entity as a description has it.
  var writtenName: String {
    let isPlain =
      !entityName.isEmpty && entityName.unicodeScalars.allSatisfy(ObjectIDScanner.isPlain)
    return isPlain ? entityName : ObjectIDScanner.quoted(entityName)
  }

  /// The object that a description names, or nil if it is no description.
  ///
  /// - Complexity: O(*n*) for a text of *n* bytes, whatever they are.
  public init?(_ description: String) {
    var scanner = ObjectIDScanner(description)
    // What has one spelling is taken in that only, so that equal names are equal texts.
    guard let object = scanner.objectID(), TextBytes.equal(object.description, description) else {
      return nil
    }
    self = object
  }
}

extension ObjectID: Codable {
  /// The description.
  ///
  /// - Throws: `EncodingError.invalidValue` if the id is NaN or a part of it is: it names no object, and
  ///   couldn't be decoded.
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

  /// The object that a description names.
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
  /// By the name of the entity, then by id.
  public static func < (a: ObjectID, b: ObjectID) -> Bool {
    let order = TextBytes.compare(a.entityName, b.entityName)
    return order == 0 ? a.id < b.id : order < 0
  }
}

extension ObjectID {
  /// Whether both are the same bytes, text byte by byte (S8).
  public static func == (a: ObjectID, b: ObjectID) -> Bool {
    TextBytes.equal(a.entityName, b.entityName) && a.id == b.id
  }

  /// Hashes the name and the id.
  public func hash(into hasher: inout Hasher) {
    TextBytes.hash(entityName, into: &hasher)
    hasher.combine(id)
  }
}
