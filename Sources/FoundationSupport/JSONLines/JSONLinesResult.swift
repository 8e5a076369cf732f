/// What an import has done.
public struct JSONLinesResult: Hashable, Sendable {
  /// How many objects are new.
  public internal(set) var inserted = 0
  /// How many took the place of one with their id.
  public internal(set) var replaced = 0
  /// How many were left out, because there was one with their id.
  public internal(set) var skipped = 0
}
