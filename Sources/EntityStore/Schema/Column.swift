/// One attribute of an entity, as a storage sees it.
public struct Column: Sendable {
  /// The attribute's name, unique in its entity.
  public let name: String
  /// What is stored.
  public let type: StoredType
  /// Whether it may be nil.
  public let isOptional: Bool
  /// What the column holds for objects that were stored before it was declared.
  public let defaultValue: StoredValue?
  /// What it refers to, if it is a reference.
  public let reference: Reference?
  /// The names that it had before, newest first.
  public let formerNames: [String]
  /// Whether its values are known never to be stored as nil.
  let isExact: Bool
  /// The parts of a composite id.
  let ownParts: [Part]
  private let places: PartPlaces

  /// A part of a composite id, or of a reference to an object that has one.
  public struct Part: Sendable, Hashable {
    /// The part's name.
    public let name: String
    /// What is stored.
    public let type: StoredType
  }

  /// A reference from one entity's column to another entity.
  public struct Reference: Sendable {
    /// What happens to the referring object when the other goes; nothing if the reference is
    /// late-bound.
    public let onDelete: DeleteRule
    /// Whether the other object may be missing.
    public let isLateBound: Bool
    /// The other entity.
    ///
    /// Read late: two schemas may refer to each other.
    public var target: EntityDescription { makeTarget() }

    let makeTarget: @Sendable () -> EntityDescription
    let inverse: InversePath?
  }

  /// The key path of a to-many property.
  ///
  /// A key path to a property captures nothing.
  struct InversePath: @unchecked Sendable {
    let path: AnyKeyPath
    /// The type, for people: a key path to a computed property has no name on Linux.
    let words: String
    /// The reference that the property of an object is made of.
    let reference: (EntityRow) -> AnyKeyPath
  }

  /// Where each property of a composite id stands.
  ///
  /// A key path to a property captures nothing.
  struct PartPlaces: @unchecked Sendable {
    var places: [AnyKeyPath: Int] = [:]
  }

  init(
    name: String, type: StoredType, isOptional: Bool, defaultValue: StoredValue?,
    reference: Reference?, isExact: Bool = false, parts: [Part] = [],
    partPlaces: PartPlaces = PartPlaces(), formerNames: [String] = []
  ) {
    self.isExact = isExact
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.reference = reference
    self.formerNames = formerNames
    ownParts = parts
    places = partPlaces
  }

  /// The parts of a value of type `.list`, each with a name that is unique in the entity; otherwise
  /// none.
  ///
  /// A composite id's parts have the names it gives them; a reference to it puts its own name and
  /// an underscore before those.
  public var parts: [Part] {
    guard type == .list, let target = reference?.target else { return ownParts }
    return target.columns[target.identity].parts.map {
      Part(name: "\(name)_\($0.name)", type: $0.type)
    }
  }

  /// The place of a composite id's property among its parts.
  package func part(_ path: AnyKeyPath) -> Int? { places.places[path] }
}
