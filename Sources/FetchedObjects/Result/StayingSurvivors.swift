internal import ListDiffing

/// Which survivors stay, by F3: those before which as many untouched ones stand as did before, and of
/// these the longest run in old order.
///
/// Rows of one section follow it, and sections among themselves.
///
/// - Parameters:
///   - survivors: Where touched survivors were and are, by where they are.
///   - oldTouched: Where all that is touched was; ascending.
///   - newTouched: Where all that is touched is; ascending.
/// - Returns: Whether each survivor stays.
/// - Complexity: O(*k* log *k*), where *k* is the number of all that is touched.
func staying(
  _ survivors: [(old: Int, new: Int)], oldTouched: [Int], newTouched: [Int]
) -> [Bool] {
  var stays = [Bool](repeating: false, count: survivors.count)
  var mayStay: [Int] = []
  // How many of what is touched stand before a survivor; both are in order.
  var newRank = 0
  for (index, survivor) in survivors.enumerated() {
    while newRank < newTouched.count, newTouched[newRank] < survivor.new { newRank += 1 }
    let others = survivor.new - newRank
    // As many others at the least stand before it as there are touched ones that don't.
    if survivor.old < others || survivor.old - others > oldTouched.count { continue }
    if survivor.old - oldTouched.count(below: survivor.old) == others { mayStay.append(index) }
  }
  // One alone is in order.
  if mayStay.count == 1 {
    stays[mayStay[0]] = true
    return stays
  }
  let isInRun = longestIncreasingRun(of: mayStay.map { survivors[$0].old })
  for (place, index) in mayStay.enumerated() { stays[index] = isInRun[place] }
  return stays
}
