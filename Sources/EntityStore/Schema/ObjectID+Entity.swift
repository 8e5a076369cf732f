extension ObjectID {
  /// Creates the name of the object with an id.
  public init<E: Entity>(_ type: E.Type, _ id: E.ID) {
    self.init(entityName: E.entityName, id: E.schema.stored(id))
  }

  /// Creates the name of an object.
  public init<E: Entity>(_ object: E) { self.init(E.self, object.id) }

  /// Creates the name of the object that a reference names.
  public init<E: Entity>(_ reference: Ref<E>) { self.init(E.self, reference.id) }

  /// Returns the id as its own type, or nil if this doesn't name an object of the entity.
  ///
  /// A stored form that the type can read but would store in another way is no id: no object is
  /// found by it.
  public func id<E: Entity>(as type: E.Type) -> E.ID? {
    guard TextBytes.equal(entityName, E.entityName), let found = try? E.schema.id(stored: id),
      E.schema.stored(found) == id
    else { return nil }
    return found
  }
}
