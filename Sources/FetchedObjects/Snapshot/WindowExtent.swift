/// The position of some rows, such as a window's, in their result.
struct WindowExtent: Sendable, Equatable {
  /// The number of rows of the result before them.
  var rowsBefore: Int
  var totalCount: Int
}
