extension JSONLines {
  /// The result of an import.
  ///
  ///     let result = try store.importJSONLines(from: url)
  ///     print("\(result.inserted) new objects")
  public struct Result: Hashable, Sendable {
    /// The number of new objects.
    public internal(set) var inserted = 0
    /// The number of objects that replaced one with their id.
    public internal(set) var replaced = 0
    /// The number of objects that were left out, because there was one with their id.
    public internal(set) var skipped = 0
  }
}
