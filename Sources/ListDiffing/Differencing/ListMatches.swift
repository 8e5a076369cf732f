/// The matches of the rows of an old list and a new list.
@usableFromInline
struct _ListMatches {
  /// The rows that are in both lists, in the order of the new list.
  @usableFromInline var runs: [_MatchedRun] = []

  /// True if the runs have their ranks in the order of the old list.
  @usableFromInline var _areRanked = true

  /// The old rows without a match, ascending.
  @usableFromInline var gone: [Int32] = []

  /// The number of rows that are in both lists.
  @usableFromInline var count = 0

  /// Positions in the result count from the start of each range.
  ///
  /// If `areUnique` is true, the caller promises that no identifier repeats. Otherwise copies may
  /// be matched in any order.
  @inlinable
  @inline(__always)
  init<Element, Identifier: Hashable>(
    old: [Element], in oldRange: Range<Int>, new: [Element], in newRange: Range<Int>,
    areUnique: Bool, identifiedBy identifier: (Element) -> Identifier
  ) {
    _mustHold(
      oldRange.count < Int32.max && newRange.count < Int32.max,
      "A difference is of lists of fewer than 2^31 rows; page them")
    guard !oldRange.isEmpty, !newRange.isEmpty else {
      gone = oldRange.indices.map { Int32(truncatingIfNeeded: $0 - oldRange.lowerBound) }
      return
    }
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        var matching = _UnsafeMatching<Element, Identifier>(
          old: UnsafeBufferPointer(rebasing: old[oldRange]),
          new: UnsafeBufferPointer(rebasing: new[newRange]), areUnique: areUnique)
        matching.run(identifiedBy: identifier)
        (runs, _areRanked) = matching.walked.matches
        gone = matching.walked.gone
        matching.walked.deallocate()
      }
    }
    count = oldRange.count - gone.count
  }

  /// Returns the old row of each of `count` new rows, or -1 for an inserted row.
  @usableFromInline
  func _sources(count: Int) -> [Int32] {
    var sources = [Int32](repeating: -1, count: count)
    for run in runs {
      for offset in 0..<run.count { sources[Int(run.new + offset)] = run.old + offset }
    }
    return sources
  }

  /// For each run, true if it keeps its position relative to the others, with the number of rows in
  /// these runs.
  ///
  /// It is nil if all runs do.
  @usableFromInline
  var _staying: (runs: [Bool], count: Int)? {
    let longest =
      _areRanked
      ? _heaviestIncreasingRuns(runs, count: count) : _patientRuns(runs, count: count)
    guard var staying = longest else { return nil }
    _preferPlaces(runs, &staying.runs)
    return staying
  }
}
