internal import ListDiffing

/// The paths of untouched rows in one snapshot, found by their paths in another.
struct UntouchedPaths {
  private let from: IndexSnapshot
  private let to: IndexSnapshot
  private let touchedBefore: [Int: SortedPositions]
  private let touchedAfter: [Int: SortedPositions]

  init(
    from: IndexSnapshot, touched touchedBefore: some Sequence<ListPath>, to: IndexSnapshot,
    touched touchedAfter: some Sequence<ListPath>
  ) {
    self.from = from
    self.to = to
    self.touchedBefore = SortedPositions.bySection(touchedBefore)
    self.touchedAfter = SortedPositions.bySection(touchedAfter)
  }

  /// The path in the second snapshot of the row at a path in the first, or nil if its section
  /// doesn't exist there.
  ///
  /// The section of an untouched row always exists.
  ///
  /// - Complexity: O(log *n*)
  subscript(path: ListPath) -> ListPath? {
    guard let section = to.section(from.key(ofSection: path.section)) else { return nil }
    let rank = touchedBefore[path.section]?.others(before: path.row) ?? path.row
    return ListPath(
      section: section, row: touchedAfter[section]?.position(ofOther: rank) ?? rank)
  }
}
