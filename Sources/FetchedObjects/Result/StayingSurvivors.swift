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
  var stays = survivors.map { survivor in
    survivor.old - oldTouched.count(below: survivor.old)
      == survivor.new - newTouched.count(below: survivor.new)
  }
  // One alone is in order.
  if stays.count == 1 { return stays }
  let mayStay = stays.indices.filter { stays[$0] }
  for (index, isInRun) in zip(mayStay, longestIncreasingRun(of: mayStay.map { survivors[$0].old }))
  {
    stays[index] = isInRun
  }
  return stays
}
