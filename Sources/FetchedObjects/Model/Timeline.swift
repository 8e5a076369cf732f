internal import EntityStore
internal import Relays

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
  private var waiting = Fifo<Step>()
  /// The events that have been shown and whose subscribers haven't been called.
  private var untold = Fifo<Event>()
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
        waiting.popFirst()
        take(step, touched: step.touched, since: step.version)
      }
    case .latest:
      guard let last = waiting.last else { return }
      var touched: Set<StoredValue> = []
      while let step = waiting.first {
        waiting.popFirst()
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
  mutating func popEvent() -> Event? { untold.popFirst() }
}
