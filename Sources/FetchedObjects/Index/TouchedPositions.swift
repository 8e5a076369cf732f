internal import ListDiffing

/// The positions of touched rows in a list, ascending.
///
/// The untouched rows between them keep their order.
struct TouchedPositions {
  private let positions: [Int]

  init(_ positions: [Int]) { self.positions = positions.sorted() }

  /// Returns the number of untouched rows before a position.
  ///
  /// - Complexity: O(log *k*)
  func others(before position: Int) -> Int {
    position - firstIndex { positions[$0] >= position }
  }

  /// Returns the position of the untouched row with `rank` untouched rows before it.
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
