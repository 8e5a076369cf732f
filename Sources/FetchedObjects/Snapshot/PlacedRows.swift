/// The rows that one commit changes in a result; each differs from its old version.
struct PlacedRows: Sendable {
  /// The versions of the two results that the paths belong to.
  let before: Int64
  let after: Int64
  let rows: ContiguousArray<PlacedRow>

  /// Returns true if the paths belong to these two results of one query.
  func areOf(_ before: ResultView, _ after: ResultView) -> Bool {
    self.before == before.version && self.after == after.version
      && before.window == nil && after.window == nil
  }
}
