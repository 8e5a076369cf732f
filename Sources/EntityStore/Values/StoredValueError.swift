/// A stored form that a type can't be made from.
public struct StoredValueError: Error, Hashable, CustomStringConvertible {
  /// What was found.
  public let found: StoredValue
  /// The name of the type.
  public let type: String

  /// The error for a type that `found` is no value of.
  public init(_ found: StoredValue, type: Any.Type) {
    self.found = found
    self.type = "\(type)"
  }

  /// A sentence that names both, and says what to do.
  public var description: String {
    "\(found.brief) is not a stored \(type); read it as the type that it was stored as"
  }
}
