internal import Locking

/// A step that waits to be shown: the value after some commits, and the errors among them.
struct PendingChange<Value: PendingValue>: Sendable {
  /// The value after the last commit that could be read.
  ///
  /// It is an object because it is passed on several times.
  final class Arrival: @unchecked Sendable {
    // @unchecked: it is changed only while a single step holds it.
    @exclusivity(unchecked) fileprivate(set) var versions: ClosedRange<Int64>
    @exclusivity(unchecked) fileprivate(set) var after: Value
    @exclusivity(unchecked) fileprivate(set) var touched: Value.Touched
    /// True if the whole value was read, so that earlier errors are over.
    @exclusivity(unchecked) fileprivate(set) var isReread: Bool

    init(
      versions: ClosedRange<Int64>, after: Value, touched: Value.Touched, isReread: Bool
    ) {
      self.versions = versions
      self.after = after
      self.touched = touched
      self.isReread = isReread
    }

    fileprivate var copy: Arrival {
      Arrival(versions: versions, after: after, touched: touched, isReread: isReread)
    }
  }

  /// The maximum number of errors that are reported together; these are the last ones.
  private static var mostErrors: Int { 16 }

  /// The turn in which it is shown.
  var turn: Int
  private(set) var arrival: Arrival?
  var errors: [(error: any Error, version: Int64?)] = []

  init(
    turn: Int, versions: ClosedRange<Int64>, after: Value, touched: Value.Touched,
    isReread: Bool = false
  ) {
    self.turn = turn
    arrival = Arrival(versions: versions, after: after, touched: touched, isReread: isReread)
  }

  /// Creates a step that reports an error, because of which `version` can't be shown.
  ///
  /// The end of an error without a version isn't reported.
  init(turn: Int, _ error: any Error, version: Int64?) {
    self.turn = turn
    errors = [(error, version)]
  }

  mutating func join(_ later: PendingChange) {
    turn = later.turn
    errors += later.errors
    // A storage that fails for a long time doesn't fill the memory.
    if errors.count > Self.mostErrors {
      let last = errors.last { $0.version != nil }
      ReleasePool.add(errors.map(\.error))
      errors.removeFirst(errors.count - Self.mostErrors)
      // The error of a version says that the value is old, so others don't push it out.
      if let last, !errors.contains(where: { $0.version != nil }) { errors[0] = last }
    }
    // An error without a version doesn't concern the value. It comes from watching for external
    // commits.
    if later.errors.contains(where: { $0.version != nil }) { ownArrival()?.isReread = false }
    guard let next = later.arrival else { return }
    guard let joined = ownArrival() else {
      arrival = next
      return
    }
    ReleasePool.add(joined.after)
    joined.isReread = joined.isReread || next.isReread
    joined.after = next.after
    joined.versions =
      joined.versions.lowerBound...max(joined.versions.upperBound, next.versions.upperBound)
    joined.touched.formUnion(next.touched)
  }

  /// Removes the objects that neither the value before the step nor the one after it has, if there
  /// are many of them.
  mutating func trim(from before: Value) {
    guard let joined = ownArrival() else { return }
    Value.trim(&joined.touched, from: before, to: joined.after)
  }

  /// Returns the arrival, copied if another step holds it, or nil if there is none.
  private mutating func ownArrival() -> Arrival? {
    guard arrival != nil else { return nil }
    if !isKnownUniquelyReferenced(&arrival) { arrival = arrival?.copy }
    return arrival
  }
}
