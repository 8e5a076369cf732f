/// Marks the runs that stay in place while all others move around them, so that as few rows as
/// possible move.
///
/// Runs that are neighbours in both lists form a block: if one stays, the others can, too. So the
/// function looks for the heaviest increasing subsequence of blocks. There are about three blocks
/// for each row that moves. A tree of maxima (Fenwick, 1994) gives the best subsequence that ends
/// before a block. If there are many blocks, patience sorting is faster.
///
/// The runs are in the order of the new list. The result has a mark for each run, and the number of
/// rows in the marked runs. It is nil if all runs increase.
///
/// - Complexity: O(*r* + *b* log *r*), where *r* is the number of runs and *b* the number of
///   blocks.
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

/// A block of runs that follow each other in both lists.
private struct RunBlock {
  let firstRun: Int

  /// The rank of the first run in the order of the old list.
  let rank: Int

  /// The number of rows.
  var weight: Int32

  /// The preceding block in the heaviest increasing subsequence that ends with this block, or -1.
  var previous = -1
}

/// Links each block to its predecessor, and returns the last block of the heaviest subsequence.
private func _heaviestBlocks(_ blocks: inout [RunBlock], ranks: Int) -> Int {
  // The upper half is the weight up to a block, the lower half its index plus one.
  var tree = [UInt64](repeating: 0, count: ranks + 1)
  var heaviest: UInt64 = 0
  var highestRank = -1
  for index in blocks.indices {
    let block = blocks[index]
    var best: UInt64 = 0
    if block.rank > highestRank {
      // All earlier blocks have a lower rank.
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
    // The nodes above a node have at least its value.
    while node <= ranks, tree[node] < value {
      tree[node] = value
      node &+= node & -node
    }
  }
  return Int(heaviest & 0xFFFF_FFFF) - 1
}

/// Returns the same result, but compares single rows, with patience sorting.
func _patientRuns(_ runs: [_MatchedRun], count: Int) -> (runs: [Bool], count: Int)? {
  let rows = [Int32](unsafeUninitializedCapacity: count) { rows, rowCount in
    for run in runs {
      for offset in 0..<run.count {
        rows[rowCount] = run.old &+ offset
        rowCount &+= 1
      }
    }
  }
  guard let stays = _longestIncreasingSubsequence(of: rows) else { return nil }
  var row = 0
  let marks = runs.map { run in
    defer { row &+= Int(run.count) }
    return stays.marks[row]
  }
  return (marks, stays.count)
}
