/// The predicates on one attribute, found by a value.
struct PredicateIndex {
  private var byValue: [StoredValue: Set<Int>] = [:]
  private var intervals = IntervalIndex()

  var isEmpty: Bool { byValue.isEmpty && intervals.isEmpty }

  mutating func insert(_ kind: WatchedPredicate.Kind, _ sequence: Int) {
    switch kind {
    case .values(let values):
      for value in values { byValue[value, default: []].insert(sequence) }
    case .bounds(let bounds): intervals.insert(bounds, sequence)
    }
  }

  mutating func remove(_ kind: WatchedPredicate.Kind, _ sequence: Int) {
    switch kind {
    case .values(let values):
      for value in values {
        byValue[value]?.remove(sequence)
        if byValue[value]?.isEmpty == true { byValue[value] = nil }
      }
    case .bounds: intervals.remove(sequence)
    }
  }

  /// Calls `body` with the number of each predicate that a value meets.
  mutating func forEach(passing value: StoredValue, _ body: (Int) -> Void) {
    byValue[value]?.forEach(body)
    if !value.isNull { intervals.forEach(containing: value, body) }
  }
}
