@_spi(Storage) internal import EntityStore

/// A range of a result's positions, which a window shows.
struct ResultWindow: Sendable, Equatable {
  /// The number of rows before the window, or after it if it counts from the end.
  let offset: Int
  /// The maximum number of rows in the window, or nil for all others.
  let limit: Int?
  /// True if the window stays at the end of the result.
  let isFromEnd: Bool
  /// The row that the window stays around, if it does.
  private(set) var anchor: WindowAnchor?

  /// Creates the window of a query, or nil if the query selects all rows.
  init?(_ query: QueryDescription) {
    if query.limit == nil && query.offset == 0 { return nil }
    self.init(offset: query.offset, limit: query.limit, isFromEnd: query.isFromEnd)
  }

  init(offset: Int, limit: Int?, isFromEnd: Bool = false) {
    self.offset = offset
    self.limit = limit
    self.isFromEnd = isFromEnd
  }

  /// The position after the last row that the window may show, counted from the end of the result
  /// if the window is.
  var end: Int {
    guard let limit else { return .max }
    let (end, isTooFar) = offset.addingReportingOverflow(limit)
    return isTooFar ? .max : end
  }

  /// Returns the positions that the window shows of a result with `count` rows.
  func positions(of count: Int) -> Range<Int> {
    let lower = min(offset, count)
    let upper = min(count, lower + min(limit ?? count, count))
    return isFromEnd ? count - upper..<count - lower : lower..<upper
  }
}

extension ResultWindow {
  private init(_ anchor: WindowAnchor, at position: Int, in result: ResultSnapshot) {
    let lower = max(0, position - anchor.before)
    let rows = (position - lower).addingReportingOverflow(anchor.after)
    self.init(
      offset: lower, limit: rows.overflow || rows.partialValue == .max ? nil : rows.partialValue + 1
    )
    self.anchor = anchor
    if let row = result.row(anchor.id) { self.anchor?.note(row) }
  }

  init(unfound anchor: WindowAnchor) {
    self.init(offset: 0, limit: nil)
    self.anchor = anchor
  }

  init(_ anchor: WindowAnchor, in result: ResultSnapshot) {
    self.init(
      anchor, at: result.row(anchor.id).map { result.position(of: $0) } ?? 0, in: result)
  }

  /// Returns the window after a commit: it stays around its row.
  ///
  /// If the row is no longer in the result, the row that follows its place is the next anchor, or
  /// else the last row.
  ///
  /// - Complexity: O(log *n*) comparisons.
  func moved(to new: ResultSnapshot) -> ResultWindow {
    guard var anchor else { return self }
    if let row = new.row(anchor.id) {
      return ResultWindow(anchor, at: new.position(of: row), in: new)
    }
    if new.count == 0 { return self }
    let position = min(anchor.row.map { new.position(of: $0) } ?? 0, new.count - 1)
    anchor.id = new.row(position).id
    return ResultWindow(anchor, at: position, in: new)
  }
}
