/// Marks rows that have the same position in both lists as staying, if the number of moves doesn't
/// grow.
///
/// A move to the same position can't be shown, so the row would be removed and inserted. Such a run
/// stays if it has as many rows as the staying runs that it passes. Those move instead. If there
/// are few runs, all choices are compared. The result is the number of examined runs.
///
/// The runs are in the order of the new list. The marks are those of a heaviest increasing
/// subsequence, before and after.
///
/// - Complexity: O(*n*), where *n* is the number of rows. O(*r*) for *r* runs if no run moves to
///   its old position.
@discardableResult
func _preferPlaces(_ runs: [_MatchedRun], _ stays: inout [Bool]) -> Int {
  guard runs.indices.contains(where: { !stays[$0] && runs[$0].isInPlace }) else { return 0 }
  // For each run, the staying runs before and after it.
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
  // Each choice may examine all runs. After this number of examined runs, the remaining runs are
  // unchanged.
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
    // The staying runs increase, so the runs that this run passes are next to it, all on one side.
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
      // This run may have stopped staying in the meantime.
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
  if areLeft { _choosePlacesOfBlocks(runs, &stays) }
  return most - looks
}

/// Compares all choices if there are few blocks of runs that follow each other in both lists.
///
/// A block stays or moves whole in each heaviest choice.
private func _choosePlacesOfBlocks(_ runs: [_MatchedRun], _ stays: inout [Bool]) {
  var blocks: [_MatchedRun] = []
  var blockOfRun: [Int] = []
  for run in runs {
    if let last = blocks.last, last.isFollowed(by: run.old, run.new) {
      blocks[blocks.count - 1].count &+= run.count
    } else if blocks.count == 64 {
      return
    } else {
      blocks.append(run)
    }
    blockOfRun.append(blocks.count - 1)
  }
  var marks = [Bool](repeating: false, count: blocks.count)
  _choosePlaces(blocks, &marks)
  for run in runs.indices { stays[run] = marks[blockOfRun[run]] }
}

/// Chooses the heaviest increasing subsequence with the most rows whose position is the same in
/// both lists.
///
/// - Complexity: O(*r*²), where *r* is the number of runs.
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
  var isInPlace: Bool { old == new }
}
