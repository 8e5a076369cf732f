internal import EntityStore

/// What a timeline shows, and what is said of the difference between two.
protocol TimelineValue: Sendable {
  associatedtype Touched: TouchedRows = TouchedObjects
}

/// What may differ between two values.
protocol TouchedRows: Sendable {
  /// Adds what may differ by a later step.
  mutating func formUnion(_ later: Self)
}

/// The objects that may differ between two values.
enum TouchedObjects: TouchedRows {
  /// Those with these ids, each once.
  case some([StoredValue])
  /// Those of several steps.
  case union(Set<StoredValue>)
  /// Any.
  case all

  static let none = TouchedObjects.some([])

  /// The ids, each once; nil if any object may differ.
  var ids: [StoredValue]? {
    switch self {
    case .some(let ids): ids
    case .union(let ids): Array(ids)
    case .all: nil
    }
  }

  /// Adds those of a later step.
  ///
  /// - Complexity: O(*k*) for the *k* objects of the later step, amortised over several.
  mutating func formUnion(_ later: TouchedObjects) {
    var union: Set<StoredValue>
    switch (self, later) {
    case (.all, _), (_, .some([])): return
    case (_, .all), (.some([]), _):
      self = later
      return
    case (.some(let ids), _): union = Set(ids)
    case (.union(let ids), _): union = ids
    }
    // Given up, so that the set isn't copied.
    self = .none
    switch later {
    case .some(let ids): union.formUnion(ids)
    case .union(let ids): union.formUnion(ids)
    case .all: break
    }
    self = .union(union)
  }
}

/// What waits to be shown at one time: what commits led to, and errors among them.
struct TimelineStep<Value: TimelineValue>: Sendable {
  /// The value that the last commit led to that could be read.
  struct Arrival: Sendable {
    var versions: ClosedRange<Int64>
    var after: Value
    var touched: Value.Touched
  }

  /// The turn in which it is shown.
  var turn: Int
  var arrival: Arrival?
  var errors: [(error: any Error, version: Int64)] = []

  init(turn: Int, version: Int64, after: Value, touched: Value.Touched) {
    self.turn = turn
    arrival = Arrival(versions: version...version, after: after, touched: touched)
  }

  init(turn: Int, _ error: any Error, version: Int64) {
    self.turn = turn
    errors = [(error, version)]
  }

  /// Adds a later step.
  ///
  /// - Returns: the value that is left out, if there is one.
  mutating func join(_ later: TimelineStep) -> Value? {
    turn = later.turn
    errors += later.errors
    guard let next = later.arrival else { return nil }
    guard var joined = arrival.take() else {
      arrival = next
      return nil
    }
    let leftOut = joined.after
    joined.after = next.after
    joined.versions =
      joined.versions.lowerBound...max(joined.versions.upperBound, next.versions.upperBound)
    joined.touched.formUnion(next.touched)
    arrival = joined
    return leftOut
  }
}
