/// Marks the runs that may stay in place while all others move around them, so that as few rows move as possible.
///
/// Runs that are neighbours in both lists stay together: where one stays the other can. So what is looked for is the
/// heaviest increasing subsequence of such blocks, of which there are about three for each row that moves. A tree of
/// maxima (Fenwick, 1994) gives the best one that ends before a block. Where there are many blocks patience sorting
/// takes less.
///
/// - Parameters:
///   - runs: The runs in the order of the new list; their ranks are those in the order of the old one.
///   - count: The number of their rows.
/// - Returns: A mark for each run, and the number of rows in those that are marked; nil if all increase.
/// - Complexity: O(*r* + *b* log *r*), where *r* is the number of runs and *b* that of blocks.
func _heaviestIncreasingRuns(
  _ runs: [_MatchedRun], count: Int
) -> (runs: [Bool], count: Int)? {
  var blockCount = 0
  var expected: Int32 = -1
  for run in runs {
    blockCount += run.oldRank == expected ? 0 : 1
    expected = run.oldRank &+ 1
  }
  if blockCount <= 1 { return nil }
  if blockCount > count / 8 { return _patientRuns(runs, count: count) }

  var blocks: [RunBlock] = []
  blocks.reserveCapacity(blockCount)
  expected = -1
  for (index, run) in runs.enumerated() {
    if run.oldRank == expected {
      blocks[blocks.count - 1].weight &+= run.count
    } else {
      blocks.append(RunBlock(firstRun: index, rank: Int(run.oldRank), weight: run.count))
    }
    expected = run.oldRank &+ 1
  }
  var marks = [Bool](repeating: false, count: runs.count)
  var staying = 0
  var end = runs.count
  var last = _heaviestBlocks(&blocks, ranks: runs.count)
  for block in blocks.indices.reversed() {
    if block == last {
      for run in blocks[block].firstRun..<end { marks[run] = true }
      staying += Int(blocks[block].weight)
      last = blocks[block].previous
    }
    end = blocks[block].firstRun
  }
  return (marks, staying)
}

/// Runs that follow each other in both lists.
private struct RunBlock {
  let firstRun: Int

  /// The place of the first run in the order of the old list.
  let rank: Int

  /// The number of rows.
  var weight: Int32

  /// The block before it in the heaviest increasing subsequence that ends with it, or -1.
  var previous = -1
}

/// Links each block to the one before it, and returns the last one of the heaviest subsequence.
private func _heaviestBlocks(_ blocks: inout [RunBlock], ranks: Int) -> Int {
  // The upper half is the weight up to a block, the lower its index plus one.
  var tree = [UInt64](repeating: 0, count: ranks + 1)
  var heaviest: UInt64 = 0
  var highestRank = -1
  for index in blocks.indices {
    let block = blocks[index]
    var best: UInt64 = 0
    if block.rank > highestRank {
      // All blocks so far are before it.
      best = heaviest
      highestRank = block.rank
    } else {
      var node = block.rank
      while node > 0 {
        best = max(best, tree[node])
        node &= node &- 1
      }
    }
    blocks[index].previous = Int(best & 0xFFFF_FFFF) - 1
    let value = (best >> 32 &+ UInt64(block.weight)) << 32 | UInt64(index + 1)
    heaviest = max(heaviest, value)
    var node = block.rank + 1
    // What is above a node is at least as much as it.
    while node <= ranks, tree[node] < value {
      tree[node] = value
      node &+= node & -node
    }
  }
  return Int(heaviest & 0xFFFF_FFFF) - 1
}

/// The same by the rows themselves, with patience sorting.
func _patientRuns(_ runs: [_MatchedRun], count: Int) -> (runs: [Bool], count: Int)? {
  let rows = [Int32](unsafeUninitializedCapacity: count) { rows, rowCount in
    for run in runs {
      for offset in 0..<run.count {
        rows[rowCount] = run.old &+ offset
        rowCount &+= 1
      }
    }
  }
  guard let stays = _longestIncreasingRun(of: rows) else { return nil }
  var row = 0
  let marks = runs.map { run in
    defer { row &+= Int(run.count) }
    return stays.marks[row]
  }
  return (marks, stays.count)
}
