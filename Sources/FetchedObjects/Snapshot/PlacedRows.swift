internal import EntityStore
internal import ListDiffing

/// The rows that one commit changes in a result; each differs from what it was.
struct PlacedRows: Sendable {
  /// The versions of the results that the paths are of.
  let before: Int64
  let after: Int64
  let rows: ContiguousArray<PlacedRow>

  /// Whether the paths are of these two results, of one query.
  func areOf(_ before: ResultView, _ after: ResultView) -> Bool {
    self.before == before.version && self.after == after.version
      && before.window == nil && after.window == nil
  }
}
