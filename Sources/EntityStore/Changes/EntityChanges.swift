/// The changes of a commit to one entity's objects.
public struct EntityChanges<E: Entity>: Sendable {
  /// An object that changed.
  public struct Update: Sendable {
    /// The object before.
    public let old: E
    /// The object after.
    public let new: E
    /// The names of the attributes that differ, in the order of the schema.
    public let attributes: [String]
  }

  /// The version that the commit made.
  public let version: Int64
  /// The objects that came.
  public internal(set) var inserted: [E] = []
  /// The objects that changed.
  public internal(set) var updated: [Update] = []
  /// The objects that went, as they were last.
  public internal(set) var deleted: [E] = []

  init(version: Int64) { self.version = version }

  /// True if there are none.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
