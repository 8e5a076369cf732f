internal import EntityStore
internal import Relays

/// What some steps say may differ, each of them following the one before.
protocol TouchedRows: Sendable {
  /// What may differ between the first value and the last.
  static func merged(_ all: [Self]) -> Self
}

/// The ids of objects, each once.
extension [StoredValue]: TouchedRows {
  static func merged(_ all: [[StoredValue]]) -> [StoredValue] {
    if all.count == 1 { return all[0] }
    var ids: Set<StoredValue> = []
    for some in all { ids.formUnion(some) }
    return Array(ids)
  }
}

/// What an observer shows, and what has been committed but isn't shown yet.
///
/// A value with no locks: its owner puts it under one.
struct Timeline<Value: Sendable, Touched: TouchedRows>: Sendable {
  /// One commit that waits to be shown.
  struct Step: Sendable {
    let version: Int64
    let after: Value
    /// What may differ; nil if all may.
    let touched: Touched?
  }

  /// From one shown value to the next.
  struct Event: Sendable {
    let before: Value
    let after: Value
    /// What may differ; nil if all may.
    let touched: Touched?
    /// The versions of the commits.
    let versions: ClosedRange<Int64>
  }

  /// What there is to tell.
  enum News: Sendable {
    case event(Event)
    case error(any Error)
  }

  private enum Waiting: Sendable {
    case step(Step, since: Int64)
    case error(any Error, version: Int64)

    var version: Int64 {
      switch self {
      case .step(let step, _): step.version
      case .error(_, let version): version
      }
    }
  }

  private(set) var shown: Value
  /// The newest value, shown or not.
  private(set) var newest: Value
  /// The version of the newest that has been added.
  private(set) var newestVersion = Int64.min
  private var waiting = Fifo<Waiting>()
  /// What has been shown and whose subscribers haven't been called.
  private var untold = Fifo<News>()
  let policy: DeliveryPolicy
  /// Whether nothing is shown for the time being; what comes meanwhile is merged.
  private(set) var isPaused = false
  /// The last error that has been shown, until a later step has.
  private(set) var error: (any Error)?
  private var errorVersion = Int64.min

  init(_ value: Value, policy: DeliveryPolicy) {
    shown = value
    newest = value
    self.policy = policy
  }

  mutating func append(_ step: Step) {
    newest = step.after
    newestVersion = max(newestVersion, step.version)
    waiting.append(.step(step, since: step.version))
    if isPaused { merge() }
  }

  mutating func append(_ error: any Error, version: Int64) {
    newestVersion = max(newestVersion, version)
    waiting.append(.error(error, version: version))
  }

  /// Shows nothing until `resume()`.
  mutating func pause() { isPaused = true }

  /// Makes one step of all that wait, to be shown in a turn of its own.
  ///
  /// - Returns: the version to show.
  mutating func resume() -> Int64 {
    isPaused = false
    merge()
    return newestVersion
  }

  /// Shows what waits for the turn of a commit: one step, with the errors before it, or under `.latest`
  /// all, as one.
  ///
  /// Each step has a turn of its own, so none shows more: what is shown while an event is told is that
  /// event's. A turn that finds nothing to show, because it has been merged, does nothing.
  ///
  /// - Returns: the events that are shown now.
  @discardableResult
  mutating func show(_ version: Int64) -> [Event] {
    guard !isPaused, let first = waiting.first, first.version <= version else { return [] }
    if policy == .latest { merge() }
    var events: [Event] = []
    while let next = waiting.first, next.version <= version || policy == .latest {
      waiting.popFirst()
      switch next {
      case .step(let step, let since):
        if step.version > errorVersion { error = nil }
        let event = Event(
          before: shown, after: step.after, touched: step.touched,
          versions: since...max(since, step.version))
        events.append(event)
        untold.append(.event(event))
        shown = step.after
        if policy == .each { return events }
      case .error(let error, let version):
        self.error = error
        errorVersion = version
        untold.append(.error(error))
      }
    }
    return events
  }

  /// Makes one step of all that wait, after their errors.
  private mutating func merge() {
    var errors: [Waiting] = []
    var merged: (step: Step, since: Int64)?
    var touched: [Touched] = []
    var count = 0
    while let next = waiting.first {
      waiting.popFirst()
      guard case .step(let step, let since) = next else {
        errors.append(next)
        continue
      }
      count += 1
      if let some = step.touched { touched.append(some) }
      merged = (step, merged?.since ?? since)
    }
    for error in errors { waiting.append(error) }
    guard let (last, since) = merged else { return }
    let step =
      count == 1
      ? last
      : Step(
        version: last.version, after: last.after,
        touched: touched.count < count ? nil : .merged(touched))
    waiting.append(.step(step, since: since))
  }

  /// The steps that wait, the next one first.
  var waitingSteps: [Step] {
    var steps: [Step] = []
    waiting.forEach { if case .step(let step, _) = $0 { steps.append(step) } }
    return steps
  }

  /// The next that is to be told.
  mutating func popNews() -> News? { untold.popFirst() }
}
