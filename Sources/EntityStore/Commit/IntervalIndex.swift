/// An index of intervals, found by a value within them.
///
/// The intervals are in an array, in the order of their lower ends. The array is also a balanced
/// tree: the middle of a part is its root. Each interval has the largest upper end of its part (the
/// augmented tree of Cormen et al.). New intervals wait in a separate list until there are enough
/// to be sorted in.
struct IntervalIndex {
  private struct Interval {
    let bounds: ValueBounds
    let number: Int
    /// The furthest upper end in the part whose middle this is; nil is no end.
    var furthest: StoredValue?
  }

  private var live: [Int: ValueBounds] = [:]
  private var sorted: ContiguousArray<Interval> = []
  private var recent: Set<Int> = []
  /// The number of intervals that were checked for nothing: not sorted in yet, or removed.
  private var wasted = 0

  var isEmpty: Bool { live.isEmpty }

  mutating func insert(_ bounds: ValueBounds, _ number: Int) {
    live[number] = bounds
    recent.insert(number)
  }

  mutating func remove(_ number: Int) {
    live[number] = nil
    recent.remove(number)
    // Removed intervals are skipped until they are half of all.
    if sorted.count > 64 && live.count < sorted.count / 2 { sort() }
  }

  /// Calls `body` with the number of each interval that contains `value`.
  ///
  /// - Complexity: O(log *n* + *m*) for *m* of *n* intervals, once they are sorted in.
  mutating func forEach(containing value: StoredValue, _ body: (Int) -> Void) {
    if recent.count > 16 && recent.count > live.count / 16 { sort() }
    // Sorting takes as long as this many checks.
    if wasted > 64 + 16 * live.count { sort() }
    for number in recent {
      if let bounds = live[number], bounds.contains(value) { body(number) }
    }
    wasted += recent.count
    wasted += forEach(in: 0..<sorted.count, containing: value, body)
  }

  /// Visits one part, and returns the number of removed intervals that were checked.
  private func forEach(
    in part: Range<Int>, containing value: StoredValue, _ body: (Int) -> Void
  ) -> Int {
    guard !part.isEmpty else { return 0 }
    let middle = (part.lowerBound + part.upperBound) / 2
    let interval = sorted[middle]
    if let furthest = interval.furthest, furthest < value { return 0 }
    var gone = forEach(in: part.lowerBound..<middle, containing: value, body)
    // The intervals after the middle begin no earlier.
    if let lower = interval.bounds.lower, value < lower.value { return gone }
    if live[interval.number] == nil {
      gone += 1
    } else if interval.bounds.contains(value) {
      body(interval.number)
    }
    return gone + forEach(in: middle + 1..<part.upperBound, containing: value, body)
  }

  private mutating func sort() {
    recent = []
    wasted = 0
    sorted = ContiguousArray(
      live.map { Interval(bounds: $1, number: $0) }.sorted { a, b in
        switch (a.bounds.lower, b.bounds.lower) {
        case (nil, nil): a.number < b.number
        case (nil, _): true
        case (_, nil): false
        case (let a?, let b?): a.value < b.value
        }
      })
    _ = setFurthest(0..<sorted.count)
  }

  /// Sets the furthest ends within a part, and returns that of the part.
  ///
  /// nil is no end. `.some(.null)` is for an empty part.
  private mutating func setFurthest(_ part: Range<Int>) -> StoredValue? {
    guard !part.isEmpty else { return .null }
    let middle = (part.lowerBound + part.upperBound) / 2
    var furthest = sorted[middle].bounds.upper?.value
    for other in [
      setFurthest(part.lowerBound..<middle), setFurthest(middle + 1..<part.upperBound),
    ] {
      guard let end = furthest, let other else {
        furthest = nil
        break
      }
      furthest = max(end, other)
    }
    sorted[middle].furthest = furthest
    return furthest
  }
}
