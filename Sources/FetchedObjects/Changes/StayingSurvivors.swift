internal import ListDiffing

/// Which survivors stay, by F3: those before which as many untouched ones stand as did before, and of
/// these the longest run in old order, with as few others as possible that move to where they were.
///
/// Rows of one section follow it, and sections among themselves.
///
/// - Parameters:
///   - survivors: Where touched survivors were and are, by where they are.
///   - oldTouched: Where all that is touched was, in any order.
///   - newTouched: Where all that is touched is, in any order.
/// - Returns: Whether each survivor stays.
/// - Complexity: O(*k* log *k*), where *k* is the number of all that is touched.
func staying(
  _ survivors: [(old: Int, new: Int)], oldTouched: [Int], newTouched: [Int]
) -> [Bool] {
  var stays = [Bool](repeating: false, count: survivors.count)
  if survivors.isEmpty { return stays }
  let (old, new) = (CandidatePositions(oldTouched), CandidatePositions(newTouched))
  var mayStay: [Int] = []
  for (index, survivor) in survivors.enumerated() {
    let others = new.untouched(before: survivor.new)
    // As many others at the least stand before it as there are touched ones that don't.
    if survivor.old < others || survivor.old - others > oldTouched.count { continue }
    if old.untouched(before: survivor.old) == others { mayStay.append(index) }
  }
  // One alone is in order.
  if mayStay.count == 1 {
    stays[mayStay[0]] = true
    return stays
  }
  let isInRun = longestIncreasingRun(
    of: mayStay.map { survivors[$0].old }, at: mayStay.map { survivors[$0].new })
  for (place, index) in mayStay.enumerated() { stays[index] = isInRun[place] }
  return stays
}
