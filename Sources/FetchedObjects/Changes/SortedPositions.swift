internal import ListDiffing

/// A sorted set of positions.
///
/// It converts a position in the list to a position in the list without the set, and back.
///
/// The others keep their order. So the rank of one of them, the number of others before it, is the
/// same before and after a change.
struct SortedPositions {
  private let positions: [Int]
  /// True if they are all positions up to the last one.
  private let areAll: Bool

  /// Creates the value from positions, each once, in any order.
  init(_ positions: [Int]) {
    areAll = positions.allSatisfy { $0 < positions.count }
    self.positions = areAll ? positions : positions.inOrder(<)
  }

  var isEmpty: Bool { positions.isEmpty }

  /// Returns the number of these positions before a position.
  ///
  /// - Complexity: O(log *k*), where *k* is the number of these positions; O(1) if they are all.
  func count(before position: Int) -> Int {
    if areAll { return Swift.min(position, positions.count) }
    return partitionPoint(positions.count) { positions[$0] >= position }
  }

  /// Returns the number of others before a position.
  ///
  /// - Complexity: The same as that of `count(before:)`.
  func others(before position: Int) -> Int { position - count(before: position) }

  /// Returns the position of the other with `rank` others before it.
  ///
  /// - Complexity: O(log *k*)
  func position(ofOther rank: Int) -> Int {
    // Of the others, `positions[i] - i` stand before position `i`.
    rank
      + (areAll ? positions.count : partitionPoint(positions.count) { positions[$0] - $0 > rank })
  }

  /// Returns true if a position is one of these.
  ///
  /// - Complexity: The same as that of `count(before:)`.
  func contains(_ position: Int) -> Bool {
    if areAll { return position < positions.count }
    let index = count(before: position)
    return index < positions.count && positions[index] == position
  }
}

extension SortedPositions {
  static func bySection(_ paths: some Sequence<ListPath>) -> [Int: SortedPositions] {
    Dictionary(grouping: paths, by: \.section).mapValues { SortedPositions($0.map(\.row)) }
  }
}
