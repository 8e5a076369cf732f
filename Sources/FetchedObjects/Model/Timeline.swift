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
  private var waiting: [Step] = []
  /// The events that have been shown and whose subscribers haven't been called.
  private var untold: [Event] = []
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
    var count = 1
    switch policy {
    case .each: while count < waiting.count, waiting[count].version <= version { count += 1 }
    case .latest: count = waiting.count
    }
    let steps = waiting.prefix(count)
    waiting.removeFirst(count)
    if policy == .each {
      for step in steps { take([step]) }
    } else {
      take(steps)
    }
  }

  private mutating func take(_ steps: some RandomAccessCollection<Step>) {
    guard let first = steps.first, let last = steps.last else { return }
    let touched = steps.dropFirst().reduce(into: first.touched) { $0.formUnion($1.touched) }
    untold.append(
      Event(
        before: shown, after: last.after, touched: touched,
        versions: first.version...last.version))
    shown = last.after
  }

  /// The next event to tell.
  mutating func popEvent() -> Event? { untold.isEmpty ? nil : untold.removeFirst() }
}
