/// A reference to an object, by its id.
///
///     var owner: Ref<Person>?
///
/// Whether the object exists is judged when a commit ends (S4).
public struct Ref<Target: Entity>: Hashable, Sendable {
  /// The id of the object.
  public let id: Target.ID

  /// A reference to the object with `id`.
  public init(_ id: Target.ID) { self.id = id }

  /// A reference to `object`.
  public init(_ object: Target) { id = object.id }
}

extension Ref {
  /// Whether the stored forms of the ids are the same (S8).
  public static func == (a: Ref, b: Ref) -> Bool {
    Target.schema.stored(a.id) == Target.schema.stored(b.id)
  }

  /// Hashes the stored form of the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(Target.schema.stored(id)) }
}

extension Ref: Storable {
  /// The id's.
  public static var storedType: StoredType {
    // Not through the target's schema, which may be in the making.
    (Target.ID.self as? any Storable.Type)?.storedType ?? .list
  }

  /// The id's.
  public var storedValue: StoredValue { Target.schema.stored(id) }

  /// A reference to the object with the stored id.
  public init(storedValue: StoredValue) throws { id = try Target.schema.id(stored: storedValue) }
}

extension Ref: Encodable where Target.ID: Encodable {
  /// The id alone.
  public func encode(to encoder: any Encoder) throws { try id.encode(to: encoder) }
}

extension Ref: Decodable where Target.ID: Decodable {
  /// The id alone.
  public init(from decoder: any Decoder) throws { id = try Target.ID(from: decoder) }
}

extension Ref: StoredExactly where Target.ID: StoredExactly {}
