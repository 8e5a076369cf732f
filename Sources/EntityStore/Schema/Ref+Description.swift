extension Ref: CustomStringConvertible {
  /// The name of the object, as an ``ObjectID`` has it: `Person(1)`.
  ///
  /// What is long is cut; ``ObjectID/init(_:)-(Ref<E>)`` gives the whole.
  public var description: String { ObjectID(self).brief }
}

extension Ref: CustomReflectable {
  /// The id alone, for `dump` and debuggers.
  public var customMirror: Mirror { Mirror(self, children: ["id": id], displayStyle: .struct) }
}
