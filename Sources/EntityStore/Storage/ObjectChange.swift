/// The change of one object.
public struct ObjectChange: Sendable {
  /// The id.
  public let id: StoredValue
  /// The object before, nil if it is inserted.
  public let old: EntityRow?
  /// The object after, nil if it is deleted.
  public let new: EntityRow?

  /// The change of the object with an id.
  public init(id: StoredValue, old: EntityRow?, new: EntityRow?) {
    self.id = id
    self.old = old
    self.new = new
  }

  /// Whether nothing has changed after all: nothing before and after, or the same values.
  var isVoid: Bool {
    switch (old, new) {
    case (nil, nil): true
    case (let old?, let new?): old.isEqual(to: new)
    default: false
    }
  }

  /// The same for an object of an entity.
  func isVoid(in entity: EntityDescription) -> Bool {
    guard let old, let new else { return old == nil && new == nil }
    return old.box === new.box || old.isEqual(to: new, entity)
  }
}
