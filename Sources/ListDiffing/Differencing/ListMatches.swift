/// Which row of an old list each row of a new list was.
@usableFromInline
struct _ListMatches {
  /// For each new row the old row it was, or -1 if it came.
  @usableFromInline var sources: [Int32]

  /// The old rows that are in no match, ascending.
  @usableFromInline var gone: [Int32]

  /// The number of rows that are in both.
  @usableFromInline var count: Int { _goneFrom - gone.count }
  @usableFromInline let _goneFrom: Int

  /// Matches the rows of two ranges; the positions in the result count from the start of each range.
  @inlinable
  @inline(__always)
  init<Element, Identifier: Hashable>(
    old: [Element], in oldRange: Range<Int>, new: [Element], in newRange: Range<Int>,
    identifiedBy identifier: (Element) -> Identifier
  ) {
    sources = []
    gone = []
    _goneFrom = oldRange.count
    guard !oldRange.isEmpty, !newRange.isEmpty else {
      sources = [Int32](repeating: -1, count: newRange.count)
      gone = oldRange.indices.map { Int32(truncatingIfNeeded: $0 - oldRange.lowerBound) }
      return
    }
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        sources = [Int32](unsafeUninitializedCapacity: newRange.count) { sources, sourcesCount in
          var matching = _UnsafeMatching<Element, Identifier>(
            old: UnsafeBufferPointer(rebasing: old[oldRange]),
            new: UnsafeBufferPointer(rebasing: new[newRange]),
            sources: UnsafeMutableBufferPointer(rebasing: sources[..<newRange.count]))
          matching.run(identifiedBy: identifier)
          gone = matching.gone
          matching.deallocate()
          sourcesCount = newRange.count
        }
      }
    }
  }

  /// For each new row whether it keeps its place among those that were there before, with their number; nil if
  /// all do.
  @usableFromInline
  var _stays: (marks: [Bool], count: Int)? { _longestIncreasingRun(of: sources) }
}
