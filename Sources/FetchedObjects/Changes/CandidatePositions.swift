/// The touched positions of a list, for counting the untouched positions before one of them.
struct CandidatePositions {
  private let positions: [Int]
  /// True if they are all positions up to the last one.
  private let areAll: Bool

  /// Creates the value from touched positions, each once, in any order.
  init(_ positions: [Int]) {
    areAll = positions.allSatisfy { $0 < positions.count }
    self.positions =
      areAll || positions.isSorted(by: <=) ? positions : positions.sorted()
  }

  /// Returns the number of untouched positions before a touched one.
  ///
  /// - Complexity: O(log *k*), where *k* is the number of touched positions; O(1) if all are
  ///   touched.
  func untouched(before position: Int) -> Int {
    if areAll { return 0 }
    var low = 0
    var high = positions.count
    while low < high {
      let middle = (low + high) / 2
      if positions[middle] < position { low = middle + 1 } else { high = middle }
    }
    return position - low
  }
}

extension Array {
  /// Returns true if each element and the next one are in order.
  @inline(__always)
  func isSorted(by areInOrder: (Element, Element) -> Bool) -> Bool {
    var index = 1
    while index < count {
      if !areInOrder(self[index - 1], self[index]) { return false }
      index += 1
    }
    return true
  }
}
