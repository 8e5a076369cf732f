internal import EntityStore
internal import ListDiffing

/// A row that may differ between two snapshots, with its path and content in both.
struct IndexCandidate: Sendable {
  struct Place: Sendable {
    let path: ListPath
    let row: ResultRow
  }

  let id: StoredValue
  /// The old path and content, or nil if the row wasn't in the result.
  let old: Place?
  /// The new path and content, or nil if the row is no longer in the result.
  let new: Place?
}
