internal import ListDiffing

extension IndexedObjectsSnapshot: CustomStringConvertible {
  /// The version and the number of rows in each section, as in `version 7: 3 rows in sections of
  /// [2, 1]`.
  public var description: String {
    let counts = rowCounts
    return "version \(version): \(count) rows"
      + (counts.count == 1
        ? ""
        : " in sections of [\(counts.prefix(20).map(String.init).joined(separator: ", "))"
          + (counts.count > 20 ? ", … \(counts.count - 20) more]" : "]"))
  }
}

extension IndexedObjectsEvent: CustomStringConvertible {
  /// The versions and the changes, as in `version 7: insert 0.3, update 0.1 → 0.1`.
  public var description: String { "\(describe(versions)): \(changes)" }
}
