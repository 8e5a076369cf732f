@_spi(Storage) internal import EntityStore
internal import ListDiffing

/// A range of a result's positions, which a window shows.
struct ResultWindow: Sendable, Equatable {
  /// The number of rows before the window.
  let offset: Int
  /// The maximum number of rows in the window, or nil for all that follow.
  let limit: Int?

  /// Creates the window of a query, or nil if the query selects all rows.
  init?(_ query: QueryDescription) {
    if query.limit == nil && query.offset == 0 { return nil }
    offset = query.offset
    limit = query.limit
  }

  init(offset: Int, limit: Int?) {
    self.offset = offset
    self.limit = limit
  }

  /// The position after the last row that the window may show.
  var end: Int {
    guard let limit else { return .max }
    let (end, isTooFar) = offset.addingReportingOverflow(limit)
    return isTooFar ? .max : end
  }

  /// Returns the positions that the window shows of a result with `count` rows.
  func positions(of count: Int) -> Range<Int> {
    let lower = min(offset, count)
    return lower..<min(count, lower + min(limit ?? count, count))
  }
}
