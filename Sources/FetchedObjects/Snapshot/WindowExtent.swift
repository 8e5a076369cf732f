internal import EntityStore
internal import ListDiffing

/// The position of a window in its result.
struct WindowExtent: Sendable, Equatable {
  /// The number of rows of the result before the window.
  let rowsBefore: Int
  /// The number of rows of the result.
  let totalCount: Int
}
