internal import EntityStore
internal import Locking
internal import Relays

/// What an observer shows, and what has been committed but isn't shown yet.
///
/// A value with no locks: its owner puts it under one. What a step replaces goes to the `ReleasePool`, since a row may
/// hold anything.
struct PendingChanges<Value: PendingValue>: Sendable {
  typealias Step = PendingChange<Value>

  /// From one shown value to the next.
  ///
  /// An object, since it is handed on several times.
  final class Event: Sendable {
    let before: Value
    let after: Value
    /// What may differ.
    let difference: Value.Touched
    /// The versions of the commits.
    let versions: ClosedRange<Int64>
    /// Whether an error that was shown is over.
    let endsError: Bool

    init(
      before: Value, after: Value, difference: Value.Touched, versions: ClosedRange<Int64>,
      endsError: Bool
    ) {
      self.before = before
      self.after = after
      self.difference = difference
      self.versions = versions
      self.endsError = endsError
    }
  }

  /// What there is to tell.
  enum News: Sendable {
    case event(Event)
    case error(any Error)
  }

  private(set) var shown: Value
  /// The newest value, shown or not.
  private(set) var newest: Value
  /// What waits, but for the last: a step for each batch of its place, which is shown at one time.
  private var waiting = Fifo<Step>()
  private var last: Step?
  /// What has been shown and whose subscribers haven't been called.
  private var untold = ShortFifo<News>()
  /// Whether nothing is shown for the time being; what comes meanwhile is joined.
  private(set) var isPaused = false
  /// The last error that has been shown, until a later step has.
  private(set) var error: (any Error)?
  private var errorVersion = Int64.min

  init(_ value: Value) {
    shown = value
    newest = value
  }

  /// Takes in a step, with the turn in which it is to be shown.
  ///
  /// - Parameters:
  ///   - step: what a commit led to.
  ///   - ended: the last turn that later ones aren't shown together with.
  /// - Returns: whether it takes the turn: not while it is paused.
  mutating func append(_ step: Step, ended: Int) -> Bool {
    if let arrival = step.arrival { newest = arrival.after }
    if last != nil, let previous = last.take() {
      // Both are in the batch that takes turns now, so that they are shown at one time. The new step
      // may be the first of the next batch.
      if let before = waiting.last, isPaused || before.turn > ended {
        waiting.updateLast { $0.join(previous) }
      } else {
        waiting.append(previous)
      }
    }
    last = step
    return !isPaused
  }

  /// Shows what waits for a turn, as one event.
  ///
  /// - Returns: the event, unless only errors or nothing waited.
  @discardableResult
  mutating func show(_ turn: Int) -> Event? {
    guard !isPaused, let step = popWaiting(turn) else { return nil }
    for (error, version) in step.errors {
      untold.append(.error(error))
      // What shows is as it should be, though it may be old.
      guard let version else { continue }
      if let old = self.error { ReleasePool.add(old) }
      self.error = error
      errorVersion = version
    }
    guard let arrival = step.arrival else { return nil }
    var endsError = false
    if error != nil, arrival.isWhole || arrival.versions.upperBound > errorVersion {
      endsError = true
      if let old = error.take() { ReleasePool.add(old) }
    }
    let event = Event(
      before: shown, after: arrival.after, difference: arrival.touched,
      versions: arrival.versions, endsError: endsError)
    untold.append(.event(event))
    shown = arrival.after
    return event
  }

  /// Leaves out what waits, where nothing is shown any more.
  mutating func dropWaiting() {
    while let step = waiting.popFirst() { ReleasePool.add(step) }
    if let step = last.take() { ReleasePool.add(step) }
  }

  /// Takes out what waits for a turn and for earlier ones.
  private mutating func popWaiting(_ turn: Int) -> Step? {
    // Mostly one waits.
    if waiting.isEmpty {
      guard let turnOfLast = last?.turn, turnOfLast <= turn else { return nil }
      return last.take()
    }
    var step: Step?
    func add(_ next: Step) {
      if step == nil { step = next } else { step?.join(next) }
    }
    while let next = waiting.first, next.turn <= turn {
      waiting.popFirst()
      add(next)
    }
    if waiting.isEmpty, let next = last, next.turn <= turn {
      last = nil
      add(next)
    }
    return step
  }

  /// What may differ by the steps that wait, the next one first.
  var waitingDifferences: [Value.Touched] {
    var differences: [Value.Touched] = []
    waiting.forEach { if let arrival = $0.arrival { differences.append(arrival.touched) } }
    if let arrival = last?.arrival { differences.append(arrival.touched) }
    return differences
  }

  /// How many steps wait.
  var waitingCount: Int { waiting.count + (last == nil ? 0 : 1) }

  /// The next that is to be told.
  mutating func popNews() -> News? { untold.popFirst() }

  /// Whether nothing is left to tell.
  var isTold: Bool { untold.isEmpty }

  /// Shows nothing until `resume()`.
  mutating func pause() { isPaused = true }

  /// Makes one step of all that wait, to be shown in a turn of its own.
  ///
  /// - Returns: whether anything waits.
  mutating func resume(turn: Int) -> Bool {
    guard isPaused else { return false }
    isPaused = false
    guard var step = popWaiting(.max) else { return false }
    step.turn = turn
    last = step
    return true
  }
}

extension PendingChanges.Event where Value.Touched == TouchedObjects {
  /// The ids of the objects that may differ, each once; nil if all may.
  var touched: [StoredValue]? { difference.ids }
}
