extension EntityRow: CustomStringConvertible {
  /// The object, as its struct prints: `Person(id: 1, name: "Ann")`.
  public var description: String { String(describing: anyValue).harmless }
}

extension EntityRow: CustomReflectable {
  /// The object's own.
  public var customMirror: Mirror { Mirror(reflecting: anyValue) }
}
