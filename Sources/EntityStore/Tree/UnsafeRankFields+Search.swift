extension UnsafeRankFields {
  /// The entries that decide where a search continues.
  ///
  /// In a leaf these are its entries. In an inner node they are the last entries of all children
  /// but the last child. If none of them meets the condition, the search continues in the last
  /// child.
  @inline(__always) var candidates: UnsafeBufferPointer<RankEntry> {
    UnsafeBufferPointer(start: entries, count: isLeaf ? width : width - 1)
  }

  /// Returns the child of an inner node that contains the entry at `position`.
  ///
  /// Afterwards `position` is the position below that child.
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

  /// Returns the first candidate that meets `condition`.
  @inline(__always) func place(where condition: (RankEntry) throws -> Bool) rethrows -> Int {
    try place(0, candidates.count, where: condition)
  }

  /// Returns the first candidate from `low` on that meets `condition`, or `high` if none before
  /// that does.
  @inline(__always) private func place(
    _ low: Int, _ high: Int, where condition: (RankEntry) throws -> Bool
  ) rethrows -> Int {
    let candidates = candidates
    var (low, high) = (low, high)
    while low < high {
      let middle = (low &+ high) &>> 1
      if try condition(candidates[middle]) { high = middle } else { low = middle &+ 1 }
    }
    return low
  }

  /// Returns the first candidate with a greater prefix, or with the same prefix and a slot that
  /// meets `condition`.
  @inline(__always) func place(
    of prefix: UInt64, where condition: (UInt32) throws -> Bool
  ) rethrows -> Int {
    let candidates = candidates
    let low = Self.countOfFirst(in: candidates) { $0 < prefix }
    guard low < candidates.count, candidates[low].prefix == prefix else { return low }
    let high = Self.countOfFirst(in: candidates) { $0 <= prefix }
    return try place(low, high) { try condition($0.slot) }
  }

  /// Returns the number of prefixes that meet `condition`, which are the first ones.
  ///
  /// It tests every eighth prefix, and then those between two of them. A binary search would test
  /// fewer, but each test would have to wait for the one before. These prefixes are loaded from
  /// memory together, and no branch has to be predicted.
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
