@_spi(Storage) extension EntityRow: CustomStringConvertible {
  /// The object as its struct prints it: `Person(id: 1, name: "Ann")`.
  public var description: String { String(describing: anyValue).harmless }
}

@_spi(Storage) extension EntityRow: CustomReflectable {
  /// The mirror of the object.
  public var customMirror: Mirror { Mirror(reflecting: anyValue) }
}
