internal import EntityStore
internal import ListDiffing

/// A stretch of a result's positions: what a window shows.
struct ResultWindow: Sendable, Equatable {
  /// How many rows stand before it.
  let offset: Int
  /// How many rows it has room for, or nil for all that follow.
  let limit: Int?

  /// The window of a query, or nil if it wants all.
  init?(_ query: QueryDescription) {
    if query.limit == nil && query.offset == 0 { return nil }
    offset = query.offset
    limit = query.limit
  }

  init(offset: Int, limit: Int?) {
    self.offset = offset
    self.limit = limit
  }

  /// The positions that it shows of a result with so many rows.
  func positions(of count: Int) -> Range<Int> {
    let lower = min(offset, count)
    return lower..<min(count, lower + min(limit ?? count, count))
  }
}
