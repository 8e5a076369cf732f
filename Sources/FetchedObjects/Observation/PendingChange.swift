internal import EntityStore
internal import Locking

/// What waits to be shown at one time: what commits led to, and errors among them.
struct PendingChange<Value: PendingValue>: Sendable {
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
  mutating func join(_ later: PendingChange) {
    turn = later.turn
    errors += later.errors
    // A storage that fails for long fills no memory.
    if errors.count > Self.mostErrors {
      ReleasePool.add(errors.map(\.error))
      errors.removeFirst(errors.count - Self.mostErrors)
    }
    // An error of watching is about no version, and says nothing of what arrived.
    if later.errors.contains(where: { $0.version != nil }) { ownArrival()?.isWhole = false }
    guard let next = later.arrival else { return }
    guard let joined = ownArrival() else {
      arrival = next
      return
    }
    ReleasePool.add(joined.after)
    joined.isWhole = joined.isWhole || next.isWhole
    joined.after = next.after
    joined.versions =
      joined.versions.lowerBound...max(joined.versions.upperBound, next.versions.upperBound)
    joined.touched.formUnion(next.touched)
  }

  /// The arrival, if there is one, as one that no other step holds.
  private mutating func ownArrival() -> Arrival? {
    guard arrival != nil else { return nil }
    if !isKnownUniquelyReferenced(&arrival) { arrival = arrival?.copy }
    return arrival
  }
}
