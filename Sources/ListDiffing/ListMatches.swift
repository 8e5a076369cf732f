/// Which row of an old list each row of a new list was.
@usableFromInline
struct _ListMatches {
  /// For each new row the old row it was, or -1 if it came.
  @usableFromInline var sources: [Int32]

  /// For each old row whether it is still there.
  @usableFromInline var taken: [Bool]

  /// Matches the rows of two ranges; the positions in the result count from the start of each range.
  @inlinable
  @inline(__always)
  init<Element, Identifier: Hashable>(
    old: [Element], in oldRange: Range<Int>, new: [Element], in newRange: Range<Int>,
    identifiedBy identifier: (Element) -> Identifier
  ) {
    sources = [Int32](repeating: -1, count: newRange.count)
    taken = [Bool](repeating: false, count: oldRange.count)
    guard !oldRange.isEmpty, !newRange.isEmpty else { return }

    var table = _IdentifierTable(count: oldRange.count)
    for position in (0..<oldRange.count).reversed() {
      let wanted = identifier(old[oldRange.lowerBound + position])
      table.enter(position, hash: table.hash(wanted)) {
        identifier(old[oldRange.lowerBound + $0]) == wanted
      }
    }
    var guess = 0
    for position in 0..<newRange.count {
      let wanted = identifier(new[newRange.lowerBound + position])
      // A neighbour is often followed by the same neighbour as before; among copies it could be a later one.
      if table.isUnique, guess < oldRange.count, !taken[guess],
        identifier(old[oldRange.lowerBound + guess]) == wanted
      {
        sources[position] = Int32(guess)
        taken[guess] = true
        guess += 1
        continue
      }
      let slot = table.slot(hash: table.hash(wanted)) {
        identifier(old[oldRange.lowerBound + $0]) == wanted
      }
      let source = Int(table.slots[slot].position)
      guard source >= 0, !taken[source] else { continue }
      table.advance(slot)
      sources[position] = Int32(source)
      taken[source] = true
      guess = source + 1
    }
  }

  /// For each new row whether it keeps its place among those that were there before; nil if all do.
  @usableFromInline
  var _stays: [Bool]? {
    var matched: [Int] = []
    matched.reserveCapacity(sources.count)
    var isIncreasing = true
    var last: Int32 = -1
    for source in sources where source >= 0 {
      isIncreasing = isIncreasing && source > last
      last = source
      matched.append(Int(source))
    }
    guard !isIncreasing else { return nil }

    var marks = longestIncreasingRun(of: matched)
    guard matched.count < sources.count else { return marks }
    // Spread the marks from the back, so that none is overwritten before it is read.
    marks.append(contentsOf: repeatElement(false, count: sources.count - matched.count))
    var next = matched.count
    for position in sources.indices.reversed() where sources[position] >= 0 {
      next -= 1
      marks[position] = marks[next]
    }
    return marks
  }
}
