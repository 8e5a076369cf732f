internal import Locking
internal import Relays

/// The value that an observer shows, and the committed changes that aren't shown yet.
///
/// It has no lock; its owner protects it with one. Values that a step replaces go to the
/// `ReleasePool`, because a row may hold any object.
struct PendingChanges<Value: PendingValue>: Sendable {
  typealias Step = PendingChange<Value>

  /// A change from one shown value to the next.
  ///
  /// It is an object because it is passed on several times.
  final class Event: Sendable {
    let before: Value
    let after: Value
    /// The rows that may differ.
    let touched: Value.Touched
    /// The versions of the commits in the event.
    let versions: ClosedRange<Int64>
    /// True if the event ends an error that was shown.
    let endsError: Bool

    init(
      before: Value, after: Value, touched: Value.Touched, versions: ClosedRange<Int64>,
      endsError: Bool
    ) {
      self.before = before
      self.after = after
      self.touched = touched
      self.versions = versions
      self.endsError = endsError
    }
  }

  /// An event or an error to deliver.
  enum News: Sendable {
    case event(Event)
    case error(any Error)
  }

  private(set) var shown: Value
  /// The newest value, shown or not.
  private(set) var newest: Value
  /// The pending steps except the last, one for each round of the delivery context.
  ///
  /// The turns of a round are shown at one time.
  private var waiting = Fifo<Step>()
  private var last: Step?
  /// The events and errors that have been shown, but haven't been delivered to subscribers.
  private var undelivered = ShortFifo<News>()
  /// True while nothing is shown; steps that arrive meanwhile are merged.
  private(set) var isPaused = false
  /// The last error that has been shown, or nil once a later step has been shown.
  private(set) var error: (any Error)?
  private var errorVersion = Int64.min

  init(_ value: Value) {
    shown = value
    newest = value
  }

  /// Adds a step, with the turn in which it is shown, and returns true if the turn is needed.
  ///
  /// It isn't needed while nothing is shown. `lastClosedTurn` is the last turn of a round that has
  /// ended. Later turns aren't shown together with it.
  mutating func append(_ step: Step, lastClosedTurn: Int) -> Bool {
    if let arrival = step.arrival { newest = arrival.after }
    if last != nil, let previous = last.take() {
      // The last step itself must not be held here, or each join would copy what has been joined.
      let lastTurn = waiting.last?.turn
      if let lastTurn, isPaused || lastTurn > lastClosedTurn {
        // While the list is paused, all steps will be shown together. Otherwise the last two steps
        // are of the open round, so they will be, and are joined. The new step may open the next
        // round, so it isn't joined yet.
        let isFirst = waiting.count == 1
        waiting.updateLast { [shown] step in
          step.join(previous)
          // A paused list doesn't remember all objects that have come and gone.
          if isFirst { step.trim(from: shown) }
        }
      } else {
        waiting.append(previous)
      }
    }
    last = step
    return !isPaused
  }

  /// Shows the steps up to a turn as one event, which is nil if only errors or nothing waited.
  @discardableResult
  mutating func show(_ turn: Int) -> Event? {
    guard !isPaused, let step = popWaiting(turn) else { return nil }
    for (error, version) in step.errors {
      undelivered.append(.error(error))
      // The shown value is correct, though it may be old.
      guard let version else { continue }
      if let old = self.error { ReleasePool.add(old) }
      self.error = error
      errorVersion = version
    }
    guard let arrival = step.arrival else { return nil }
    var endsError = false
    if error != nil, arrival.isReread || arrival.versions.upperBound > errorVersion {
      endsError = true
      if let old = error.take() { ReleasePool.add(old) }
    }
    let event = Event(
      before: shown, after: arrival.after, touched: arrival.touched,
      versions: arrival.versions, endsError: endsError)
    undelivered.append(.event(event))
    shown = arrival.after
    return event
  }

  /// Drops all pending steps, for a delivery context in which nothing is shown any more.
  mutating func dropWaiting() {
    while let step = waiting.popFirst() { ReleasePool.add(step) }
    if let step = last.take() { ReleasePool.add(step) }
  }

  /// Removes the pending steps of a turn and of earlier ones, and returns them as one step.
  private mutating func popWaiting(_ turn: Int) -> Step? {
    // Usually one step waits.
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

  /// The rows that may differ after each pending step, beginning with the next step.
  var waitingTouched: [Value.Touched] {
    var touched: [Value.Touched] = []
    waiting.forEach { if let arrival = $0.arrival { touched.append(arrival.touched) } }
    if let arrival = last?.arrival { touched.append(arrival.touched) }
    return touched
  }

  /// The event that would show everything that waits, or nil if no value waits.
  var waitingEvent: Event? {
    var step: Step?
    // A step that is merged leaves those that wait as they are.
    func add(_ next: Step) {
      if step == nil { step = next } else { step?.join(next) }
    }
    waiting.forEach(add)
    if let last { add(last) }
    return step?.arrival.map { arrival in
      Event(
        before: shown, after: arrival.after, touched: arrival.touched,
        versions: arrival.versions, endsError: false)
    }
  }

  var waitingCount: Int { waiting.count + (last == nil ? 0 : 1) }

  mutating func popNews() -> News? { undelivered.popFirst() }

  var isDelivered: Bool { undelivered.isEmpty }

  /// Shows nothing from now on, and merges all pending steps into one.
  mutating func pause() {
    isPaused = true
    if let step = popWaiting(.max) { last = step }
  }

  /// Merges all pending steps into one, shown in its own turn, and returns true if a step waits.
  mutating func resume(turn: Int) -> Bool {
    guard isPaused else { return false }
    isPaused = false
    guard var step = popWaiting(.max) else { return false }
    step.turn = turn
    last = step
    return true
  }
}
