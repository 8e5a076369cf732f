/// The objects that a draft has written and that match a filter, in an order if there is one.
///
/// A body may take the first object of a query, change it so that it no longer matches, and take
/// the next one. Or it appends one object after another behind the last one. The draft keeps the
/// matches of the last requests, so that it doesn't test and sort everything that it has written
/// each time.
///
/// It holds values and no rows: releasing a row may run code of the app.
struct WrittenMatches {
  /// A match: an object's id, and the values of the order's keys.
  private struct Match {
    let id: StoredValue
    let keys: [StoredValue]
  }

  let filter: QueryExpression?
  let order: [SortKey]
  /// The values of the order's keys of each match.
  private var keys: [StoredValue: [StoredValue]] = [:]
  /// The matches in the reverse of the order, if there is one.
  ///
  /// A body mostly changes the first ones. At the end of an array that moves few others.
  private var reversed: [Match] = []
  /// True if the objects have been tested; before, the request is only remembered.
  private(set) var areKnown = false
  /// The objects that have been written since they were last tested.
  private(set) var untested: Set<StoredValue> = []
  /// The number of changes whose old rows have been tested.
  var seen: Int
  /// The number of these old rows that match.
  var oldCount: Int

  init(_ filter: QueryExpression?, _ order: [SortKey], seen: Int = 0, oldCount: Int = 0) {
    self.filter = filter
    self.order = order
    self.seen = seen
    self.oldCount = oldCount
  }

  /// The number of matches.
  var count: Int { keys.count }

  func areOf(_ filter: QueryExpression?, _ order: [SortKey]) -> Bool {
    self.filter == filter && self.order == order
  }

  /// Notes an object that was written, one of `count` objects.
  mutating func noteWritten(_ id: StoredValue, of count: Int) {
    if !areKnown { return }
    untested.insert(id)
    // After so many writes, testing all of them again costs little more.
    if untested.count > 64 && 2 * untested.count > count { forget() }
  }

  /// Forgets the matches, and not the number of old rows.
  mutating func forget() {
    self = WrittenMatches(filter, order, seen: seen, oldCount: oldCount)
  }

  /// Returns the first `count` matches in the order, or all if it is nil or there is no order.
  func first(_ count: Int?) -> [StoredValue] {
    guard let count, !order.isEmpty else { return Array(keys.keys) }
    return reversed.suffix(count).reversed().map(\.id)
  }

  /// The number of objects that are put in their places one by one.
  private static let mostSingle = 16

  /// Sets the outcome of the tests of different objects: the keys' values of one that matches.
  ///
  /// - Complexity: O(*k* log *n*) for *k* of *n* objects, and the moving of those before them.
  mutating func set(_ tested: [(id: StoredValue, keys: [StoredValue]?)]) {
    areKnown = true
    untested = []
    let areMany =
      tested.count > Self.mostSingle && tested.count > reversed.count / Self.mostSingle
    if order.isEmpty || areMany {
      for one in tested { keys[one.id] = one.keys }
      if order.isEmpty { return }
      let all = keys.map { Match(id: $0.key, keys: $0.value) }
      return reversed = all.sorted { precedes($1, $0) }
    }
    for one in tested {
      if let old = keys[one.id] { remove(Match(id: one.id, keys: old)) }
      keys[one.id] = one.keys
      if let new = one.keys {
        let match = Match(id: one.id, keys: new)
        reversed.insert(match, at: place(of: match))
      }
    }
  }

  private mutating func remove(_ match: Match) {
    let place = place(of: match)
    // A comparison of the app's may contradict itself.
    let isThere = place < reversed.count && reversed[place].id == match.id
    let found = isThere ? place : reversed.firstIndex { $0.id == match.id }
    if let found { reversed.remove(at: found) }
  }

  private func precedes(_ a: Match, _ b: Match) -> Bool {
    for (place, key) in order.enumerated() {
      let comparison = key.compare(a.keys[place], b.keys[place])
      if comparison != 0 { return comparison < 0 }
    }
    return false
  }

  /// Returns the place of a match in the reverse of the order: behind all that it precedes.
  private func place(of match: Match) -> Int {
    var (low, high) = (0, reversed.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(match, reversed[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
