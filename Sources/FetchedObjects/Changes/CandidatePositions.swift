/// Touched positions of a list, to count those before one that aren't.
struct CandidatePositions {
  private let positions: [Int]
  /// Whether they are all positions up to the last.
  private let areAll: Bool

  /// The positions, each once, in any order.
  init(_ positions: [Int]) {
    areAll = positions.allSatisfy { $0 < positions.count }
    self.positions =
      areAll || positions.isSorted(by: <=) ? positions : positions.sorted()
  }

  /// How many positions before a touched one aren't touched.
  ///
  /// - Complexity: O(log *k*), where *k* is the number of touched ones; O(1) if they are all.
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
  /// Whether each element and the next are in order.
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
