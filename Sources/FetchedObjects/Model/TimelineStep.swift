internal import EntityStore

/// What a timeline shows, and what is said of the difference between two.
protocol TimelineValue: Sendable {
  associatedtype Touched: TouchedRows = TouchedObjects
}

/// What may differ between two values.
protocol TouchedRows: Sendable {
  /// Adds what may differ by a later step.
  ///
  /// What is held no more and may free a row goes to `leftOut`.
  mutating func formUnion(_ later: Self, _ leftOut: inout [any Sendable])
}

/// The objects that may differ between two values.
enum TouchedObjects: TouchedRows {
  /// Those with these ids, each once.
  case some([StoredValue])
  /// The rows that one commit changes, with their paths.
  case placed(PlacedRows)
  /// Those of several steps.
  case union(Set<StoredValue>)
  /// Any.
  case all

  static let none = TouchedObjects.some([])

  /// The ids, each once; nil if any object may differ.
  var ids: [StoredValue]? {
    switch self {
    case .some(let ids): ids
    case .placed(let placed): placed.rows.map { $0.id }
    case .union(let ids): Array(ids)
    case .all: nil
    }
  }

  /// Adds those of a later step.
  ///
  /// - Complexity: O(*k*) for the *k* objects of the later step, amortised over several.
  mutating func formUnion(_ later: TouchedObjects, _ leftOut: inout [any Sendable]) {
    var union: Set<StoredValue>
    switch (self, later) {
    case (.all, _), (_, .some([])): return
    case (_, .all), (.some([]), _):
      self = later
      return
    case (.some(let ids), _): union = Set(ids)
    case (.placed(let placed), _): union = Set(placed.rows.lazy.map { $0.id })
    case (.union(let ids), _): union = ids
    }
    // Given up, so that the set isn't copied.
    self = .none
    switch later {
    case .some(let ids): union.formUnion(ids)
    case .placed(let placed): for row in placed.rows { union.insert(row.id) }
    case .union(let ids): union.formUnion(ids)
    case .all: break
    }
    self = .union(union)
  }
}

/// What waits to be shown at one time: what commits led to, and errors among them.
struct TimelineStep<Value: TimelineValue>: Sendable {
  /// The value that the last commit led to that could be read.
  ///
  /// An object, since it is handed on several times.
  final class Arrival: @unchecked Sendable {
    // @unchecked: it is changed only while one step alone holds it.
    @exclusivity(unchecked) fileprivate(set) var versions: ClosedRange<Int64>
    @exclusivity(unchecked) fileprivate(set) var after: Value
    @exclusivity(unchecked) fileprivate(set) var touched: Value.Touched
    /// Whether the whole was read, so that errors before are over.
    @exclusivity(unchecked) fileprivate(set) var isWhole: Bool

    init(
      versions: ClosedRange<Int64>, after: Value, touched: Value.Touched, isWhole: Bool
    ) {
      self.versions = versions
      self.after = after
      self.touched = touched
      self.isWhole = isWhole
    }

    fileprivate var copy: Arrival {
      Arrival(versions: versions, after: after, touched: touched, isWhole: isWhole)
    }
  }

  /// How many errors are told of those that come together, the last ones.
  private static var mostErrors: Int { 16 }

  /// The turn in which it is shown.
  var turn: Int
  private(set) var arrival: Arrival?
  var errors: [(error: any Error, version: Int64?)] = []

  init(
    turn: Int, versions: ClosedRange<Int64>, after: Value, touched: Value.Touched,
    isWhole: Bool = false
  ) {
    self.turn = turn
    arrival = Arrival(versions: versions, after: after, touched: touched, isWhole: isWhole)
  }

  init(
    turn: Int, version: Int64, after: Value, touched: Value.Touched, isWhole: Bool = false
  ) {
    self.init(
      turn: turn, versions: version...version, after: after, touched: touched, isWhole: isWhole)
  }

  /// - Parameters:
  ///   - turn: when it is shown.
  ///   - error: what is told.
  ///   - version: the version that can't be shown; nil if that isn't known, so that nothing says that it is over.
  init(turn: Int, _ error: any Error, version: Int64?) {
    self.turn = turn
    errors = [(error, version)]
  }

  /// Adds a later step.
  ///
  /// What is left out goes to `leftOut`, to be freed when no lock is held.
  mutating func join(_ later: TimelineStep, _ leftOut: inout [any Sendable]) {
    turn = later.turn
    errors += later.errors
    // A storage that fails for long fills no memory.
    if errors.count > Self.mostErrors {
      leftOut.append(errors.map(\.error))
      errors.removeFirst(errors.count - Self.mostErrors)
    }
    // An error of watching is about no version, and says nothing of what arrived.
    if later.errors.contains(where: { $0.version != nil }) { ownArrival()?.isWhole = false }
    guard let next = later.arrival else { return }
    guard let joined = ownArrival() else {
      arrival = next
      return
    }
    leftOut.append(joined.after)
    joined.isWhole = joined.isWhole || next.isWhole
    joined.after = next.after
    joined.versions =
      joined.versions.lowerBound...max(joined.versions.upperBound, next.versions.upperBound)
    joined.touched.formUnion(next.touched, &leftOut)
  }

  /// The arrival, if there is one, as one that no other step holds.
  private mutating func ownArrival() -> Arrival? {
    guard arrival != nil else { return nil }
    if !isKnownUniquelyReferenced(&arrival) { arrival = arrival?.copy }
    return arrival
  }
}
