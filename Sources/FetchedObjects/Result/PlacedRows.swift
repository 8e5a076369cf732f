internal import EntityStore
internal import ListDiffing

/// A row that a commit changes in a result, and where it was and is: what is found out when the rows are put
/// in order, so that nobody has to search for it again.
struct PlacedRow: Sendable {
  let id: StoredValue
  /// The path before, nil if it wasn't in the result.
  let old: ListPath?
  /// The path after, nil if it isn't in the result any more.
  ///
  /// Both are nil for a row that has kept its place among the others, which nobody has looked for.
  let new: ListPath?

  var keepsPlace: Bool { old == nil && new == nil }
}

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
