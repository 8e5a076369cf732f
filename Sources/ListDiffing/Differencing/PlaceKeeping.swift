/// Has rows stay that have one position in both lists, where as many others then move as before.
///
/// A move from a place to the same one can't be shown, so the row would be taken out and put in. A run that moves so
/// stays instead of those that stay and that it passes, if these are as many rows. Of few runs all choices are
/// compared.
///
/// - Parameters:
///   - runs: The runs in the order of the new list.
///   - stays: A mark for each run: whether it is in a heaviest increasing subsequence. It is in one afterwards.
/// - Returns: How many runs were looked at for the choices.
/// - Complexity: O(*n*) where *n* is the number of rows; O(*r*) for *r* runs if none moves to where it was.
@discardableResult
func _preferPlaces(_ runs: [_MatchedRun], _ stays: inout [Bool]) -> Int {
  guard runs.indices.contains(where: { !stays[$0] && runs[$0].isInPlace }) else { return 0 }
  // The runs that stay before and after each other.
  var before = [Int](repeating: -1, count: runs.count + 1)
  var after = [Int](repeating: runs.count, count: runs.count + 1)
  var last = -1
  for run in runs.indices {
    before[run] = last
    if stays[run] { last = run }
  }
  var next = runs.count
  for run in runs.indices.reversed() {
    after[run] = next
    if stays[run] { next = run }
  }
  var areLeft = false
  // Each choice may look at all runs: after so many looks the others stay as they are.
  let most = 16 * runs.count
  var looks = most
  last = -1
  for run in runs.indices {
    defer { if stays[run] { last = run } }
    if stays[run] || !runs[run].isInPlace { continue }
    guard looks > 0 else {
      areLeft = true
      break
    }
    // Those that stay increase, so what a run passes stands beside it, all on one side.
    var weight: Int32 = 0
    var low = last
    while low >= 0, runs[low].old > runs[run].old, weight <= runs[run].count {
      weight &+= runs[low].count
      low = before[low]
    }
    var high = after[run]
    while high < runs.count, !stays[high] || runs[high].old < runs[run].old,
      weight <= runs[run].count
    {
      // One may have given way meanwhile.
      if stays[high] { weight &+= runs[high].count }
      high = after[high]
      looks -= 1
    }
    guard weight == runs[run].count else {
      areLeft = true
      continue
    }
    looks -= high - low
    for other in low + 1..<high where stays[other] { stays[other] = false }
    stays[run] = true
    before[run] = low
    for other in run + 1..<min(high, runs.count - 1) + 1 { before[other] = run }
  }
  if areLeft && runs.count <= 64 { _choosePlaces(runs, &stays) }
  return most - looks
}

/// Chooses the heaviest increasing subsequence that has the most rows in one position.
///
/// - Complexity: O(*r*²) where *r* is the number of runs.
private func _choosePlaces(_ runs: [_MatchedRun], _ stays: inout [Bool]) {
  var best: [(rows: Int32, inPlace: Int32, previous: Int)] = []
  var heaviest = 0
  for run in runs.indices {
    var own: (rows: Int32, inPlace: Int32, previous: Int) = (0, 0, -1)
    for other in 0..<run where runs[other].old < runs[run].old {
      if (best[other].rows, best[other].inPlace) > (own.rows, own.inPlace) {
        own = (best[other].rows, best[other].inPlace, other)
      }
    }
    own.rows &+= runs[run].count
    if runs[run].isInPlace { own.inPlace &+= runs[run].count }
    best.append(own)
    if (own.rows, own.inPlace) > (best[heaviest].rows, best[heaviest].inPlace) { heaviest = run }
  }
  for run in stays.indices { stays[run] = false }
  var member = heaviest
  while member >= 0 {
    stays[member] = true
    member = best[member].previous
  }
}

extension _MatchedRun {
  /// Whether it has the same position in both lists.
  var isInPlace: Bool { old == new }
}
