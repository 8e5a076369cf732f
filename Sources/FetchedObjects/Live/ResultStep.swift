internal import EntityStore
internal import Locking
internal import Relays

/// A result after a commit.
struct ResultStep: Sendable {
  /// The versions of the commit.
  let versions: ClosedRange<Int64>
  let after: ResultSnapshot
  /// The objects that may have changed.
  let touched: TouchedObjects
}
