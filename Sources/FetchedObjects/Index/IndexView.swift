internal import ListDiffing

/// An index-only result as a model shows it: the whole result, or a window of it.
final class IndexView: WindowedResult, PendingValue {
  typealias Touched = IndexDelta

  let index: IndexSnapshot
  let part: WindowPart

  /// - Complexity: O(log *n*)
  init(_ index: IndexSnapshot, _ window: ResultWindow?) {
    self.index = index
    part = WindowPart(window, of: index.sections, in: index.plan)
  }

  var plan: ResultPlan { index.plan }
  var sections: SectionTree { index.sections }
  var version: Int64 { index.version }

  var rowsBefore: Int { offset }
  var totalCount: Int { index.count }

  /// Returns the storage's number of the row at a path that is shown.
  ///
  /// - Complexity: O(log *n*)
  func number(at path: ListPath) -> Int64 { index.number(at: wholePath(of: path)) }

  /// The positions that are shown, among all rows.
  var positions: Range<Int> { offset..<offset + count }
}
