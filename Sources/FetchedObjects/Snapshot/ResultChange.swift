internal import EntityStore

/// One row that a commit changes in a result.
struct ResultChange: Sendable {
  let id: StoredValue
  /// The slot of the row, if it was in the result before the commit.
  let slot: Int?
  let old: ResultRow?
  /// The row after the commit, or nil if it is no longer in the result.
  let new: ResultRow?
}
