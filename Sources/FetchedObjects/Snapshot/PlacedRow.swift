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
