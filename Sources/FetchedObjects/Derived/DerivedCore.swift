internal import ListDiffing
internal import Locking
internal import Relays

/// The content that a derived model shows, and the events that are still to be delivered to its
/// subscribers.
final class DerivedCore<Row: Diffable & Sendable>: ListNotifier {
  /// The events of a group, which are delivered as one, or a single event.
  private struct Pending: Sendable {
    let group: EventGroup?
    let before: ListSnapshot<Row>
    var after: ListSnapshot<Row>
    /// The changes of each event.
    ///
    /// No section is named by two of them. They are joined when all are known, because each join
    /// passes over both sides.
    var changes: [ListChanges]
    var versions: ClosedRange<Int64>
    /// The events of models that it comes from.
    ///
    /// It is delivered with the first of them.
    var origins: [EventOrigin]
    /// The sections with another order.
    ///
    /// They are kept by their ids, because a later event of the group may move them.
    var reordered: [SectionID]

    init(_ event: ShownEvent<Row>, _ reordered: [SectionID]) {
      group = event.group
      before = event.before
      after = event.after
      changes = [event.changes]
      versions = event.versions
      origins = [event.origin]
      self.reordered = reordered
    }

    /// Adds a later event of the group.
    mutating func add(_ event: ShownEvent<Row>, _ reordered: [SectionID]) {
      after = event.after
      changes.append(event.changes)
      versions = versions.union(event.versions)
      origins.append(event.origin)
      self.reordered += reordered
    }

    var changesTotalCount: Bool { before.totalCount != after.totalCount }

    /// True if readers of the list may see a difference.
    var isVisible: Bool {
      changes.contains { !$0.isEmpty } || changesTotalCount || !reordered.isEmpty
    }

    var event: ListEvent<Row> {
      ListEvent(
        before: before, changes: .joined(changes), after: after, versions: versions)
    }
  }

  private struct State: Sendable {
    /// Nil while the first version is being made.
    var shown: (any ListContent<Row>)?
    var pending: [Pending] = []
  }

  /// The lists that are derived from this one, and other observers.
  let dependents = WeakList<any ListDependent<Row>>()
  let signals = ListSignals<Row>()
  let tracking = ListTracking()
  private let state = Locked(State())
  private let hasEnded = AtomicWord(0)

  /// Stops all further callbacks.
  func end() { hasEnded.store(1) }

  /// The content that is shown now.
  ///
  /// - Precondition: `begin(with:)` has been called.
  var shown: any ListContent<Row> {
    guard let shown = state.withLock({ $0.shown }) else {
      preconditionFailure("A derived list is read before it has been made")
    }
    return shown
  }

  func begin(with content: any ListContent<Row>) { state.withLock { $0.shown = content } }

  /// Shows the result of an event, in this list and in all lists derived from it.
  ///
  /// An event without changes isn't delivered to subscribers. Its effect may be visible in derived
  /// lists.
  func show(_ event: ShownEvent<Row>) {
    let reordered = event.reordered.map { event.after.content.header($0).id }
    let single = Pending(event, reordered)
    // The replaced content is released after the lock.
    let replaced = state.withLock { state -> ((any ListContent<Row>)?, ListSnapshot<Row>?) in
      let shown = state.shown
      state.shown = event.after.content
      if let group = event.group, let last = state.pending.indices.last,
        state.pending[last].group === group
      {
        let after = state.pending[last].after
        state.pending[last].add(event, reordered)
        return (shown, after)
      }
      // Without changes, it holds its group together: in a derived list, it may have some.
      if event.group != nil || single.isVisible { state.pending.append(single) }
      return (shown, nil)
    }
    withExtendedLifetime(replaced) {
      for dependent in dependents.objects { dependent.show(event) }
    }
  }

  /// Returns true if the last pending event belongs to a group.
  func hasPending(_ group: EventGroup) -> Bool {
    state.withLock { $0.pending.last?.group === group }
  }

  func notify(_ origin: EventOrigin) {
    // Events are delivered in order. If this isn't called for an event's origin, the event is
    // delivered with a later one.
    let due = state.withLock { state -> [Pending] in
      guard let last = state.pending.lastIndex(where: { $0.origins.contains(origin) }) else {
        return []
      }
      let due = state.pending[...last]
      state.pending.removeFirst(due.count)
      return Array(due)
    }
    // A callback may release the model.
    for pending in due where pending.isVisible && hasEnded.load() == 0 {
      let event = pending.event
      tracking.hasChanged(
        event.changes, from: event.before.content, to: event.after.content,
        isWider: pending.changesTotalCount || !pending.reordered.isEmpty,
        unnamed: pending.reordered)
      if !event.changes.isEmpty { signals.send(event) }
    }
  }

  func deliver(_ error: any Error) {
    // A callback may release the model.
    if hasEnded.load() == 0 { signals.errors.send(error) }
  }
}

extension ClosedRange<Int64> {
  /// Returns the smallest range that has both.
  func union(_ other: ClosedRange) -> ClosedRange {
    Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }
}
