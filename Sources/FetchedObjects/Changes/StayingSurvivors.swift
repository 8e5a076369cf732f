internal import ListDiffing

/// Returns which survivors stay, by F3.
///
/// A survivor may stay if the number of untouched elements before it hasn't changed. Of these
/// survivors, the longest run in old order stays. If there are several longest runs, the choice
/// lets as few others as possible move to the positions that they had.
///
/// This is the rule for rows of one section, and for sections among themselves.
///
/// - Parameters:
///   - survivors: the old and new positions of touched survivors, in the order of the new ones.
///   - oldTouched: the old positions of everything touched, in any order.
///   - newTouched: the new positions of everything touched, in any order.
/// - Returns: for each survivor, true if it stays.
/// - Complexity: O(*k* log *k*), where *k* is the number of all touched elements.
func staying(
  _ survivors: [(old: Int, new: Int)], oldTouched: [Int], newTouched: [Int]
) -> [Bool] {
  var stays = [Bool](repeating: false, count: survivors.count)
  if survivors.isEmpty { return stays }
  let (old, new) = (CandidatePositions(oldTouched), CandidatePositions(newTouched))
  var mayStay: [Int] = []
  for (index, survivor) in survivors.enumerated() {
    let others = new.untouched(before: survivor.new)
    // This check needs no search. It skips a survivor if its old position can't have had `others`
    // untouched elements before it.
    if survivor.old < others || survivor.old - others > oldTouched.count { continue }
    if old.untouched(before: survivor.old) == others { mayStay.append(index) }
  }
  // A single survivor is in order.
  if mayStay.count == 1 {
    stays[mayStay[0]] = true
    return stays
  }
  let isInRun = longestIncreasingRun(
    of: mayStay.map { survivors[$0].old }, at: mayStay.map { survivors[$0].new })
  for (place, index) in mayStay.enumerated() { stays[index] = isInRun[place] }
  return stays
}
