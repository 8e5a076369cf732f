internal import EntityStore
internal import ListDiffing

/// A row that a commit changes in a result, with its old and its new path.
///
/// The paths are found when the rows are put in order. So no second search is needed.
struct PlacedRow: Sendable {
  let id: StoredValue
  /// The path before the commit, or nil if the row wasn't in the result.
  let old: ListPath?
  /// The path after the commit, or nil if the row is no longer in the result.
  ///
  /// Both paths are nil if the row has kept its place among the others. Then nothing has searched
  /// for it.
  let new: ListPath?

  var keepsPlace: Bool { old == nil && new == nil }
}
