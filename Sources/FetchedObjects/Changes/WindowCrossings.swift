/// The untouched rows that enter or leave a window, by their positions among all rows.
///
/// Untouched rows keep their order. So their number in front of the window, before and after the
/// change, shows which of them cross an edge.
struct WindowCrossings {
  /// The old positions of the rows that leave.
  let leaving: [Int]
  /// The new positions of the rows that enter.
  let entering: [Int]

  /// - Complexity: O((*k* + *c*) log *k*) for *k* touched rows and *c* that cross an edge.
  init(
    from before: Range<Int>, touched touchedBefore: [Int], to after: Range<Int>,
    touched touchedAfter: [Int]
  ) {
    let (old, new) = (SortedPositions(touchedBefore), SortedPositions(touchedAfter))
    let was = old.others(before: before.lowerBound)..<old.others(before: before.upperBound)
    let now = new.others(before: after.lowerBound)..<new.others(before: after.upperBound)
    leaving = was.without(now).map(old.position(ofOther:))
    entering = now.without(was).map(new.position(ofOther:))
  }
}

extension Range<Int> {
  /// Returns the numbers of this range that aren't in another range, ascending.
  fileprivate func without(_ other: Range<Int>) -> [Int] {
    if other.isEmpty { return Array(self) }
    return Array(lowerBound..<Swift.max(lowerBound, Swift.min(upperBound, other.lowerBound)))
      + Array(Swift.min(upperBound, Swift.max(lowerBound, other.upperBound))..<upperBound)
  }
}
