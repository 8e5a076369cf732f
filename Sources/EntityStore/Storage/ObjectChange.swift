/// The change of one object.
///
///     for change in table.all where change.new == nil { print("deleted", change.id) }
@_spi(Storage) public struct ObjectChange: Sendable {
  /// The id.
  public let id: StoredValue
  /// The object before the change, or nil if it is inserted.
  public let old: EntityRow?
  /// The object after the change, or nil if it is deleted.
  public let new: EntityRow?

  /// Creates the change of the object with an id.
  public init(id: StoredValue, old: EntityRow?, new: EntityRow?) {
    self.id = id
    self.old = old
    self.new = new
  }

  /// True if nothing has changed: no object before and after, or the same values.
  var isVoid: Bool {
    switch (old, new) {
    case (nil, nil): true
    case (let old?, let new?): old.isEqual(to: new)
    default: false
    }
  }
}
