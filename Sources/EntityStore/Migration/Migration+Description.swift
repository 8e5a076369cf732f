extension Migration: CustomStringConvertible {
  /// The name: `Migration("split the name")`.
  public var description: String { "Migration(\(StoredValue.text(name).brief))" }
}

extension Migration.Row: CustomStringConvertible {
  /// The names and the values, printed like a dictionary: `[id: 1, name: "Ann"]`.
  public var description: String {
    if names.isEmpty { return "[:]" }
    return "[\(zip(names, values).map { "\($0): \($1.brief)" }.joined(separator: ", "))]"
  }
}

extension Migration.Row: CustomReflectable {
  /// The values by name.
  public var customMirror: Mirror {
    Mirror(
      self, children: zip(names, values).map { (label: $0, value: $1 as Any) },
      displayStyle: .struct)
  }
}
