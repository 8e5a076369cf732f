internal import EntityStore

/// What an observer shows, and what has been committed but isn't shown yet.
///
/// A value with no locks: its owner puts it under one.
struct Timeline<Value: Sendable>: Sendable {
  /// One commit that waits to be shown.
  struct Step: Sendable {
    let version: Int64
    let after: Value
    let touched: Set<StoredValue>
  }

  /// From one shown value to the next.
  struct Event: Sendable {
    let before: Value
    let after: Value
    let touched: Set<StoredValue>
    /// The versions of the commits.
    let versions: ClosedRange<Int64>
  }

  private(set) var shown: Value
  private var waiting = Backlog<Step>()
  /// The events that have been shown and whose subscribers haven't been called.
  private var untold = Backlog<Event>()
  let policy: DeliveryPolicy

  init(_ value: Value, policy: DeliveryPolicy) {
    shown = value
    self.policy = policy
  }

  /// The newest value, shown or not.
  var newest: Value { waiting.last?.after ?? shown }

  mutating func append(_ step: Step) { waiting.append(step) }

  /// Shows the commit with a version, and under `.latest` those after it too.
  mutating func show(_ version: Int64) {
    guard let first = waiting.first, first.version <= version else { return }
    switch policy {
    case .each:
      while let step = waiting.first, step.version <= version {
        waiting.removeFirst()
        take(step, touched: step.touched, since: step.version)
      }
    case .latest:
      guard let last = waiting.last else { return }
      var touched: Set<StoredValue> = []
      while let step = waiting.first {
        waiting.removeFirst()
        touched.formUnion(step.touched)
      }
      take(last, touched: touched, since: first.version)
    }
  }

  private mutating func take(_ step: Step, touched: Set<StoredValue>, since version: Int64) {
    untold.append(
      Event(before: shown, after: step.after, touched: touched, versions: version...step.version))
    shown = step.after
  }

  /// The next event to tell.
  mutating func popEvent() -> Event? {
    guard let event = untold.first else { return nil }
    untold.removeFirst()
    return event
  }
}

/// What waits, oldest first.
///
/// Taking the oldest out is O(1), amortised, however many there are.
private struct Backlog<Element: Sendable>: Sendable {
  private var elements: [Element?] = []
  private var start = 0

  var first: Element? { start < elements.count ? elements[start] : nil }

  var last: Element? { start < elements.count ? elements[elements.count - 1] : nil }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func removeFirst() {
    elements[start] = nil
    start += 1
    if start == elements.count || (start >= 64 && start * 2 >= elements.count) {
      elements.removeSubrange(..<start)
      start = 0
    }
  }
}
