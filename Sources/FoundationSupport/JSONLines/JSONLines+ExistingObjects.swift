extension JSONLines {
  /// The choice of what an import does with an object whose id the store already has.
  ///
  ///     try store.importJSONLines(from: url, existing: .skip)
  public enum ExistingObjects: String, Hashable, Sendable, CaseIterable {
    /// The import fails.
    case refuse
    /// The object of the import replaces the existing one.
    case replace
    /// The existing object stays, and the object of the import is left out.
    case skip
  }
}
