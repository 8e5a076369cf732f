/// A result after a commit.
struct ResultStep: Sendable {
  let versions: ClosedRange<Int64>
  let after: ResultSnapshot
  /// The objects that may have changed.
  let touched: TouchedObjects
  /// True if the whole result was read, so that earlier errors are over whatever their version.
  var isReread = false
}
