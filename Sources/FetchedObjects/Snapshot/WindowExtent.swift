internal import EntityStore
internal import ListDiffing

/// Where a window stands in its result.
struct WindowExtent: Sendable, Equatable {
  /// How many rows of the result stand before it.
  let rowsBefore: Int
  /// How many rows the result has.
  let totalCount: Int
}
