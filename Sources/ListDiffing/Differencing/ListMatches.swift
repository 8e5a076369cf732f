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
    sources = []
    taken = []
    guard !oldRange.isEmpty, !newRange.isEmpty else {
      sources = [Int32](repeating: -1, count: newRange.count)
      taken = [Bool](repeating: false, count: oldRange.count)
      return
    }
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        taken = [Bool](unsafeUninitializedCapacity: oldRange.count) { taken, takenCount in
          sources = [Int32](unsafeUninitializedCapacity: newRange.count) { sources, sourcesCount in
            var matching = _UnsafeMatching<Element, Identifier>(
              old: UnsafeBufferPointer(rebasing: old[oldRange]),
              new: UnsafeBufferPointer(rebasing: new[newRange]),
              sources: UnsafeMutableBufferPointer(rebasing: sources[..<newRange.count]),
              taken: UnsafeMutableBufferPointer(rebasing: taken[..<oldRange.count]))
            matching.run(identifiedBy: identifier)
            matching.deallocate()
            sourcesCount = newRange.count
          }
          takenCount = oldRange.count
        }
      }
    }
  }

  /// For each new row whether it keeps its place among those that were there before; nil if all do.
  @usableFromInline
  var _stays: [Bool]? { _longestIncreasingRun(of: sources) }
}
