/// The name of an object: its entity's name and the stored form of its id.
///
/// It means the same object in every store and every process that knows the entity.
public struct ObjectID: Hashable, Sendable, CustomStringConvertible {
  /// The entity's name.
  public let entityName: String
  /// The stored form of the id.
  public let id: StoredValue

  /// The object of `entityName` with `id`.
  public init(entityName: String, id: StoredValue) {
    self.entityName = entityName
    self.id = id
  }

  /// The object with an id.
  public init<E: Entity>(_ type: E.Type, _ id: E.ID) {
    self.init(entityName: E.entityName, id: E.schema.stored(id))
  }

  /// For example `Car 7`.
  public var description: String { "\(entityName) \(id)" }
}
