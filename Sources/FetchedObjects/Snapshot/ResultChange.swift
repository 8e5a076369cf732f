internal import EntityStore

/// One row that a commit changes in a result.
struct ResultChange: Sendable {
  let id: StoredValue
  /// Where the row is, if it was in the result before.
  let slot: Int?
  let old: ResultRow?
  /// The row after the commit, or nil if it isn't in the result then.
  let new: ResultRow?
}
