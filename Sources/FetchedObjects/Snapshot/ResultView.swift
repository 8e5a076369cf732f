internal import EntityStore
internal import ListDiffing

/// A result as a model shows it: the whole result, or a window of it.
///
/// A window near the beginning or the end, or around a row, is a range of the rows near it
/// (``NearRows``). A window further inside has its own rows (``WindowSource``), and shows all of
/// them. If sums of all rows are requested, or if the storage can't determine the order alone, a
/// window is a range of the whole result.
final class ResultView: WindowedResult {
  let base: ResultSnapshot
  let part: WindowPart

  /// - Complexity: O(log *n*)
  init(_ base: ResultSnapshot, _ window: ResultWindow?) {
    self.base = base
    part = WindowPart(window, of: base.sections, in: base.plan)
  }

  var plan: ResultPlan { base.plan }
  var sections: SectionTree { base.sections }
  var version: Int64 { base.version }

  /// The number of rows of the result before those that are shown.
  var rowsBefore: Int { (base.extent?.rowsBefore ?? 0) + offset }

  var totalCount: Int { base.totalCount }

  /// Returns the row at a path that is shown.
  ///
  /// - Complexity: O(log *n*)
  func row(at path: ListPath) -> ResultRow { base.row(at: wholePath(of: path)) }

  /// Returns the row at a position among those that are shown.
  ///
  /// - Complexity: O(log *n*)
  func row(_ position: Int) -> ResultRow {
    base.row(position + offset)
  }

  /// Returns the row with an id, or nil if it isn't shown.
  func row(_ id: StoredValue) -> ResultRow? {
    guard let row = base.row(id) else { return nil }
    return window == nil || path(of: row) != nil ? row : nil
  }

  /// Returns the path of a row of the result, or nil if it isn't shown.
  ///
  /// - Complexity: O(log *n*) comparisons.
  func path(of row: ResultRow) -> ListPath? { shownPath(of: base.path(of: row)) }

  /// Returns the path of the object with an id, or nil if it isn't shown.
  func path(of id: StoredValue) -> ListPath? { base.row(id).flatMap { path(of: $0) } }

  /// Calls `body` with each row that is shown, in order.
  func forEach(_ body: (ResultRow) throws -> Void) rethrows {
    for section in 0..<sectionCount where count > 0 {
      try tree(ofSection: section).forEach(in: rows(ofSection: section)) {
        try body(base.row($0))
      }
    }
  }

  /// Calls `body` with the slot and the path of each row that is shown, in order.
  func forEachPath(_ body: (Int, ListPath) throws -> Void) rethrows {
    for section in 0..<sectionCount where count > 0 {
      var row = 0
      try tree(ofSection: section).forEach(in: rows(ofSection: section)) {
        try body(Int($0.slot), ListPath(section: section, row: row))
        row += 1
      }
    }
  }
}
