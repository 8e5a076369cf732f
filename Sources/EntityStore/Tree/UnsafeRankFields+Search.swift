extension UnsafeRankFields {
  /// What tells where a search goes on: the entries of a leaf; of an inner node the last entry of
  /// each child but the last, which is where a search ends up that none of them meets.
  @inline(__always) var candidates: UnsafeBufferPointer<RankEntry> {
    UnsafeBufferPointer(start: entries, count: isLeaf ? width : width - 1)
  }

  /// The child of an inner node with the entry at `position`, which becomes the position below it.
  ///
  /// The position after the last entry is in the last child.
  @inline(__always) func child(holding position: inout Int) -> Int {
    let counts = counts
    let last = width - 1
    var child = 0
    while child < last {
      let count = Int(counts[child])
      guard position >= count else { break }
      position -= count
      child += 1
    }
    return child
  }

  /// The first candidate with a greater prefix, or with the same one and a slot that meets
  /// `condition`.
  @inline(__always) func place(
    of prefix: UInt64, where condition: (UInt32) throws -> Bool
  ) rethrows -> Int {
    let candidates = candidates
    var low = Self.countOfFirst(in: candidates) { $0 < prefix }
    guard low < candidates.count, candidates[low].prefix == prefix else { return low }
    var high = Self.countOfFirst(in: candidates) { $0 <= prefix }
    while low < high {
      let middle = (low &+ high) &>> 1
      if try condition(candidates[middle].slot) { high = middle } else { low = middle &+ 1 }
    }
    return low
  }

  /// How many prefixes meet `condition`, which are the first ones.
  ///
  /// It asks every eighth prefix and then those between two. Halving would ask fewer, but each would
  /// have to wait for the one before; these come from memory together, and no branch has to be
  /// guessed.
  @inline(__always) private static func countOfFirst(
    in candidates: UnsafeBufferPointer<RankEntry>, where condition: (UInt64) -> Bool
  ) -> Int {
    var count = 0
    var index = 7
    while index < candidates.count {
      count &+= condition(candidates[index].prefix) ? 8 : 0
      index &+= 8
    }
    index = count
    let end = min(count &+ 8, candidates.count)
    while index < end {
      count &+= condition(candidates[index].prefix) ? 1 : 0
      index &+= 1
    }
    return count
  }
}
