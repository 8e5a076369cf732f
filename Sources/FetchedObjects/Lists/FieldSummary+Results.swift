internal import EntityStore

extension FieldSummary {
  /// Returns true if both have the same results.
  func showsSame(as other: FieldSummary) -> Bool {
    let (mine, others) = (real.total, other.real.total)
    guard
      count == other.count && least == other.least && greatest == other.greatest
        && whole.total == other.whole.total && (mine == others || mine.isNaN && others.isNaN)
    else { return false }
    // Sums that are too large are equal, and their averages may differ.
    return !mine.isInfinite || realAverage == other.realAverage
  }
}
