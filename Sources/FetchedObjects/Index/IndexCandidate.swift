internal import EntityStore
internal import ListDiffing
internal import Locking

/// One row that may differ between two snapshots: where and what it was, and is.
struct IndexCandidate: Sendable {
  struct Place: Sendable {
    let path: ListPath
    let row: ResultRow
  }

  let id: StoredValue
  /// Nil if it wasn't in the result.
  let old: Place?
  /// Nil if it isn't any more.
  let new: Place?
}
