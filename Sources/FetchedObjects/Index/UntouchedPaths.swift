internal import ListDiffing

/// Where the rows that haven't been touched have gone from one snapshot to another.
struct UntouchedPaths {
  private let from: IndexSnapshot
  private let to: IndexSnapshot
  private let touchedBefore: [Int: TouchedPositions]
  private let touchedAfter: [Int: TouchedPositions]

  /// - Parameters:
  ///   - from: The one snapshot.
  ///   - touchedBefore: The paths in it of rows that have been touched.
  ///   - to: The other one.
  ///   - touchedAfter: The paths in that.
  init(
    from: IndexSnapshot, touched touchedBefore: some Sequence<ListPath>, to: IndexSnapshot,
    touched touchedAfter: some Sequence<ListPath>
  ) {
    self.from = from
    self.to = to
    self.touchedBefore = Self.bySection(touchedBefore)
    self.touchedAfter = Self.bySection(touchedAfter)
  }

  private static func bySection(_ paths: some Sequence<ListPath>) -> [Int: TouchedPositions] {
    Dictionary(grouping: paths, by: \.section).mapValues { TouchedPositions($0.map(\.row)) }
  }

  /// The path of the row at a path, or nil if its section isn't there, which is never so for a row that
  /// hasn't been touched.
  ///
  /// - Complexity: O(log *n*)
  subscript(path: ListPath) -> ListPath? {
    guard let section = to.section(from.key(ofSection: path.section)) else { return nil }
    let rank = touchedBefore[path.section]?.others(before: path.row) ?? path.row
    return ListPath(
      section: section, row: touchedAfter[section]?.position(ofOther: rank) ?? rank)
  }
}
