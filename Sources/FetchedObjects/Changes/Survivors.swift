internal import ListDiffing

/// A row or section that is in a list before and after, and may have moved.
struct Survivor<Position> {
  let old: Position
  let new: Position
  /// True if its content differs.
  ///
  /// If it stays, it is then reported as an update.
  let differs: Bool
}

/// Decides which survivors stay, and adds those that moved or differ to the changes.
///
/// The survivors are siblings: rows of one section, or the sections of one list. `index` returns a
/// position among them. The touched positions are in any order.
///
/// - Complexity: O(*k* log *k*), where *k* is the number of all touched elements.
func settle<Position>(
  _ survivors: [Survivor<Position>], index: (Position) -> Int, oldTouched: [Int],
  newTouched: [Int], moves: inout [PositionChange<Position>],
  updates: inout [PositionChange<Position>]
) {
  if survivors.isEmpty { return }
  // Rows that are touched in the order of their new paths need no sorting.
  let survivors = survivors.inOrder { index($0.new) < index($1.new) }
  let stays = staying(
    survivors.map { (index($0.old), index($0.new)) }, oldTouched: oldTouched,
    newTouched: newTouched)
  for (place, survivor) in survivors.enumerated() {
    if stays[place] && !survivor.differs { continue }
    let change = PositionChange(old: survivor.old, new: survivor.new)
    if stays[place] { updates.append(change) } else { moves.append(change) }
  }
}

/// Returns which survivors stay, by F3.
///
/// A survivor may stay if the number of untouched elements before it hasn't changed. Of these
/// survivors, a longest subsequence in old order stays. If there are several longest ones, the
/// choice lets as few others as possible move to the positions that they had.
///
/// This is the rule for rows of one section, and for sections among themselves. The survivors are
/// in the order of their new positions.
///
/// - Complexity: O(*k* log *k*), where *k* is the number of all touched elements.
private func staying(
  _ survivors: [(old: Int, new: Int)], oldTouched: [Int], newTouched: [Int]
) -> [Bool] {
  var stays = [Bool](repeating: false, count: survivors.count)
  if survivors.isEmpty { return stays }
  let (old, new) = (SortedPositions(oldTouched), SortedPositions(newTouched))
  var mayStay: [Int] = []
  for (index, survivor) in survivors.enumerated() {
    let others = new.others(before: survivor.new)
    // This check needs no search. It skips a survivor if its old position can't have had `others`
    // untouched elements before it.
    if survivor.old < others || survivor.old - others > oldTouched.count { continue }
    if old.others(before: survivor.old) == others { mayStay.append(index) }
  }
  // A single survivor is in order.
  if mayStay.count == 1 {
    stays[mayStay[0]] = true
    return stays
  }
  let isInOrder = longestIncreasingSubsequence(
    of: mayStay.map { survivors[$0].old }, at: mayStay.map { survivors[$0].new })
  for (place, index) in mayStay.enumerated() { stays[index] = isInOrder[place] }
  return stays
}
