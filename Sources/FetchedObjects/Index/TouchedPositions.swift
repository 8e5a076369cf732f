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
