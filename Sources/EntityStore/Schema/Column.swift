/// An attribute of an entity, as a storage sees it.
///
///     Car.schema.entity.columns.map(\.name)  // ["id", "model", "year", "owner"]
@_spi(Storage) public struct Column: Sendable {
  /// The attribute's name, unique in its entity.
  public let name: String
  /// The type of the stored values.
  public let type: StoredType
  /// True if the value may be nil.
  public let isOptional: Bool
  /// The value of objects that were stored before the column was declared.
  public let defaultValue: StoredValue?
  /// The reference, if the column is one.
  public let reference: Reference?
  /// The names that the column had before, newest first.
  public private(set) var formerNames: [String] = []
  /// True if the values are known never to be stored as nil.
  private(set) var isExact = false
  /// The parts of a composite id.
  private(set) var ownParts: [Part] = []
  private(set) var places = PartPlaces()

  /// A part of a composite id, or of a reference to an object that has one.
  ///
  ///     Seat.schema.entity.columns[0].parts.map(\.name)  // ["train", "number"]
  public struct Part: Sendable, Hashable {
    /// The part's name.
    public let name: String
    /// The type of the stored values.
    public let type: StoredType
  }

  /// A reference from one entity's column to another entity.
  ///
  ///     Car.schema.entity.columns[3].reference?.target.name  // "Person"
  public struct Reference: Sendable {
    /// The effect on the referring object when the other is deleted.
    ///
    /// If the reference is late-bound, nothing happens.
    public let onDelete: DeleteRule
    /// True if the other object may be missing.
    public let isLateBound: Bool
    /// The other entity.
    ///
    /// It is read only when it is needed, since two schemas may refer to each other.
    public var target: EntityDescription { makeTarget() }

    let makeTarget: @Sendable () -> EntityDescription
    let inverse: InversePath?
  }

  /// The key path of a to-many property.
  ///
  /// A key path to a property captures nothing.
  struct InversePath: @unchecked Sendable {
    let path: AnyKeyPath
    /// The type as text for people, since a key path to a computed property has no name on Linux.
    let words: String
    /// The function that returns the reference of which an object's property is made.
    let reference: (EntityRow) -> AnyKeyPath
  }

  /// The position of each property of a composite id.
  ///
  /// A key path to a property captures nothing.
  struct PartPlaces: @unchecked Sendable {
    var places: [AnyKeyPath: Int] = [:]
  }

  /// The parts of a value of type `.list`, otherwise none.
  ///
  /// Each part has a name that is unique in the entity. The parts of a composite id have the names
  /// that the id gives them. In a reference to it, the reference's name and an underscore come
  /// before these.
  public var parts: [Part] {
    guard type == .list, let target = reference?.target else { return ownParts }
    return target.columns[target.identity].parts.map {
      Part(name: "\(name)_\($0.name)", type: $0.type)
    }
  }

  /// Returns the position of a composite id's property among the id's parts.
  package func part(_ path: AnyKeyPath) -> Int? { places.places[path] }
}
