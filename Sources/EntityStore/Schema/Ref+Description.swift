extension Ref: CustomStringConvertible {
  /// The name of the object, in the form of an ``ObjectID``: `Person(1)`.
  ///
  /// A long id is cut; ``ObjectID/init(_:)-(Ref<E>)`` gives the whole name.
  public var description: String { ObjectID(self).brief }
}

extension Ref: CustomReflectable {
  /// A mirror of the id alone, for `dump` and debuggers.
  public var customMirror: Mirror { Mirror(self, children: ["id": id], displayStyle: .struct) }
}
