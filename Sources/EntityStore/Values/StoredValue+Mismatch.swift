extension StoredValue {
  /// An error for a stored form from which a type can't be made.
  ///
  ///     throw StoredValue.Mismatch(storedValue, type: Colour.self)
  public struct Mismatch: Error, Hashable, CustomStringConvertible {
    /// The stored form that was found.
    public let found: StoredValue
    /// The name of the type.
    public let type: String

    /// Creates the error of a type that has no value with the stored form `found`.
    public init(_ found: StoredValue, type: Any.Type) {
      self.found = found
      self.type = "\(type)"
    }

    /// A sentence that names both, and suggests what to do.
    public var description: String {
      "\(found.brief) is not a stored \(type); read it as the type that it was stored as"
    }
  }
}
