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

  /// A reference from one entity's column to another entity.
  public struct Reference: Sendable {
    /// What happens to the referring object when the other goes.
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
  }
}
