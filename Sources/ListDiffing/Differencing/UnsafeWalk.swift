/// The result of a walk along two lists: the matched runs, the remaining rows, and the remaining
/// rows that a table has matched.
@usableFromInline
struct _UnsafeWalk {
  /// The runs that the walk has matched, ascending in both lists, and the number of their rows.
  @usableFromInline var runs = _UnsafeList<_MatchedRun>(capacity: 32)
  @usableFromInline var rowCount = 0

  /// The positions of the remaining rows in each list, ascending.
  @usableFromInline var old = _UnsafeList<Int32>(capacity: 0)
  @usableFromInline var new = _UnsafeList<Int32>(capacity: 0)

  /// For each entry of `new`, the matching entry of `old`, or -1.
  @usableFromInline var entries = _UnsafeList<Int32>(capacity: 0)

  /// For each entry of `old`, true if it is matched, and the number of matched entries.
  @usableFromInline var isTaken = _UnsafeList<Bool>(capacity: 0)
  @usableFromInline var takenCount = 0

  @inlinable
  init() {}

  @inlinable
  func deallocate() {
    runs.deallocate()
    deallocateLeft()
  }

  @inlinable
  func deallocateLeft() {
    old.deallocate()
    new.deallocate()
    entries.deallocate()
    isTaken.deallocate()
  }

  @usableFromInline
  mutating func countRows() {
    rowCount = 0
    for index in 0..<runs.count { rowCount &+= Int(runs[index].count) }
  }

  /// Forgets the runs, so that all rows remain.
  @usableFromInline
  mutating func dropRuns() {
    runs.count = 0
    rowCount = 0
  }

  /// Lists the rows that are not in the runs, for two lists of these lengths.
  ///
  /// None of them is matched yet. The rows of the runs have been counted.
  @usableFromInline
  mutating func leave(oldCount: Int, newCount: Int) {
    deallocateLeft()
    // The counts are known, so nothing is checked while the positions are filled in.
    old = _UnsafeList(capacity: oldCount - rowCount)
    new = _UnsafeList(capacity: newCount - rowCount)
    var (nextOld, nextNew): (Int32, Int32) = (0, 0)
    for index in 0..<runs.count {
      let run = runs[index]
      old.append(nextOld..<run.old)
      new.append(nextNew..<run.new)
      (nextOld, nextNew) = (run.old &+ run.count, run.new &+ run.count)
    }
    old.append(nextOld..<Int32(truncatingIfNeeded: oldCount))
    new.append(nextNew..<Int32(truncatingIfNeeded: newCount))
    entries = _UnsafeList(capacity: new.count)
    entries.start.initialize(repeating: -1, count: new.count)
    isTaken = _UnsafeList(capacity: old.count)
    isTaken.start.initialize(repeating: false, count: old.count)
    takenCount = 0
  }

  @inlinable
  @inline(__always)
  mutating func match(old entry: Int, new index: Int) {
    isTaken[entry] = true
    entries[index] = Int32(truncatingIfNeeded: entry)
    takenCount &+= 1
  }

  /// The rows of the old list without a match, ascending.
  @usableFromInline
  var gone: [Int32] {
    // This initialiser writes a count even for an empty array, and all empty arrays share one
    // storage.
    if old.count == takenCount { return [] }
    return [Int32](unsafeUninitializedCapacity: old.count - takenCount) { gone, count in
      for entry in 0..<old.count where !isTaken[entry] {
        gone[count] = old[entry]
        count &+= 1
      }
    }
  }

  /// True if so many rows are matched one by one that ranking them isn't worthwhile.
  private var isScattered: Bool { takenCount > (rowCount + takenCount) / 4 }

  /// All matches, of the walk and of the table, in the order of the new list.
  @usableFromInline
  var matches: (runs: [_MatchedRun], areRanked: Bool) {
    if runs.count + takenCount == 0 { return ([], true) }
    // The walk's runs ascend in both lists, and so do `old` and `new`. So nothing has to be sorted.
    let ranks = _UnsafeList<Int32>(capacity: isScattered ? 0 : old.count)
    defer { ranks.deallocate() }
    if !isScattered { rankByOldPosition(ranks) }
    var matches = [_MatchedRun](unsafeUninitializedCapacity: runs.count + takenCount) {
      matches, count in
      var next = 0
      func appendWalked(before row: Int32) {
        while next < runs.count, runs[next].new < row {
          matches.initializeElement(at: count, to: runs[next])
          count &+= 1
          next &+= 1
        }
      }
      for index in 0..<new.count where entries[index] >= 0 {
        let entry = Int(entries[index])
        let (from, to) = (old[entry], new[index])
        appendWalked(before: to)
        if isScattered, count > 0, matches[count - 1].isFollowed(by: from, to) {
          matches[count - 1].count &+= 1
          continue
        }
        var run = _MatchedRun(old: Int(from), new: Int(to), count: 1)
        if !isScattered { run.oldRank = ranks[entry] }
        matches.initializeElement(at: count, to: run)
        count &+= 1
      }
      appendWalked(before: .max)
    }
    if !isScattered { return (matches, true) }
    // Rows that came one by one may have been merged into few runs. Then these are ranked.
    guard matches.count <= (rowCount + takenCount) / 8 else { return (matches, false) }
    Self.rank(&matches)
    return (matches, true)
  }

  /// Ranks runs by sorting them in the order of the old list.
  private static func rank(_ runs: inout [_MatchedRun]) {
    var keys = runs.indices.map { UInt64(UInt32(runs[$0].old)) << 32 | UInt64($0) }
    keys.sort()
    for (rank, key) in keys.enumerated() {
      runs[Int(key & 0xFFFF_FFFF)].oldRank = Int32(truncatingIfNeeded: rank)
    }
  }

  /// Ranks all matches in the order of the old list: the runs of the walk, and the entries of the
  /// table.
  private func rankByOldPosition(_ ranks: _UnsafeList<Int32>) {
    var rank: Int32 = 0
    var next = 0
    func rankWalked(before row: Int32) {
      while next < runs.count, runs[next].old < row {
        runs.start[next].oldRank = rank
        rank &+= 1
        next &+= 1
      }
    }
    for entry in 0..<old.count where isTaken[entry] {
      rankWalked(before: old[entry])
      ranks[entry] = rank
      rank &+= 1
    }
    rankWalked(before: .max)
  }
}
