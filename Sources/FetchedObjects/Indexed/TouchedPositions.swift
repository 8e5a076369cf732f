internal import ListDiffing

/// Some positions of a list, ascending; those between them are of rows that keep their order.
struct TouchedPositions {
  private let positions: [Int]

  init(_ positions: [Int]) { self.positions = positions.sorted() }

  /// How many others stand before a position.
  ///
  /// - Complexity: O(log *k*)
  func others(before position: Int) -> Int {
    position - firstIndex { positions[$0] >= position }
  }

  /// The position of the other that so many others stand before.
  ///
  /// - Complexity: O(log *k*)
  func position(ofOther rank: Int) -> Int {
    rank + firstIndex { positions[$0] - $0 > rank }
  }

  private func firstIndex(where condition: (Int) -> Bool) -> Int {
    var low = 0
    var high = positions.count
    while low < high {
      let middle = (low + high) / 2
      if condition(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

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
