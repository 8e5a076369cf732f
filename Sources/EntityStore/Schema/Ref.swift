/// A reference to an object, by its id.
///
///     var owner: Ref<Person>?
///
/// When a commit ends, the store checks that the object exists (S4).
public struct Ref<Target: Entity>: Hashable, Sendable {
  /// The id of the object.
  public let id: Target.ID

  /// Creates a reference to the object with `id`.
  public init(_ id: Target.ID) { self.id = id }

  /// Creates a reference to `object`.
  public init(_ object: Target) { id = object.id }
}

extension Ref {
  /// Returns true if the stored forms of the ids are the same (S8).
  public static func == (a: Ref, b: Ref) -> Bool {
    Target.schema.stored(a.id) == Target.schema.stored(b.id)
  }

  /// Hashes the stored form of the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(Target.schema.stored(id)) }
}

extension Ref: Storable {
  /// The column type of the id.
  public static var storedType: StoredType {
    // The target's schema isn't used, since it may still be in the making. An id that has parts may
    // be storable, too. A reference has its parts even then.
    if Target.ID.self is any CompositeID.Type { return .list }
    return (Target.ID.self as? any Storable.Type)?.storedType ?? .list
  }

  /// The stored form of the id.
  public var storedValue: StoredValue { Target.schema.stored(id) }

  /// Creates a reference to the object with the stored id.
  ///
  /// - Throws: ``StoredValue/Mismatch``, or another error of the id's type, if the stored form is
  ///   no id of the target.
  public init(storedValue: StoredValue) throws { id = try Target.schema.id(stored: storedValue) }
}

extension Ref: Encodable where Target.ID: Encodable {
  /// Encodes the id alone.
  ///
  /// - Throws: The error of the id's encoding.
  public func encode(to encoder: any Encoder) throws { try id.encode(to: encoder) }
}

extension Ref: Decodable where Target.ID: Decodable {
  /// Decodes the id alone.
  ///
  /// - Throws: The error of the id's decoding.
  public init(from decoder: any Decoder) throws { id = try Target.ID(from: decoder) }
}

extension Ref: StoredExactly where Target.ID: StoredExactly {}
