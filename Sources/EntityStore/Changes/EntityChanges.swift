/// The changes of a commit to one entity's objects.
///
///     let changes = commit.changes(of: Car.self)
///     print(changes.inserted, changes.deleted)
public struct EntityChanges<E: Entity>: Sendable {
  /// An object that was updated.
  ///
  ///     for update in changes.updated where update.attributes.contains("year") {
  ///       print(update.old.year, update.new.year)
  ///     }
  public struct Update: Sendable {
    /// The object before the commit.
    public let old: E
    /// The object after the commit.
    public let new: E
    /// The names of the attributes that differ, in the order of the schema.
    public let attributes: [String]
  }

  /// The version that the commit made.
  public let version: Int64
  /// The inserted objects.
  public internal(set) var inserted: [E] = []
  /// The updated objects.
  public internal(set) var updated: [Update] = []
  /// The deleted objects, as they were last.
  public internal(set) var deleted: [E] = []

  /// True if there are no changes.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
