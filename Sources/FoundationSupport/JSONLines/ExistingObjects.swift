/// What an import does with an object whose id the store has already.
public enum ExistingObjects: String, Hashable, Sendable, CaseIterable {
  /// The import fails.
  case refuse
  /// The object of the import takes its place.
  case replace
  /// It stays, and the object of the import is left out.
  case skip
}
