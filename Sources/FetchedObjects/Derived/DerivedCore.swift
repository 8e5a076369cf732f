internal import ListDiffing
internal import Locking
internal import Relays

/// The content that a derived model shows, and the events that are still to be delivered to its
/// subscribers.
final class DerivedCore<Row: Diffable & Sendable>: ListNotifier {
  private struct Pending: Sendable {
    var event: ShownEvent<Row>
    /// The events of models that it comes from.
    ///
    /// It is delivered with the first of them.
    var origins: [EventOrigin]
    /// The sections with another order.
    var reordered: [SectionID]

    /// True if readers of the list may see a difference.
    var isVisible: Bool { event.isVisible || !reordered.isEmpty }
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
    // The replaced content is released after the lock.
    let replaced = state.withLock { state -> ((any ListContent<Row>)?, Pending?) in
      let replaced = (state.shown, state.pending.last)
      state.shown = event.after.content
      if let group = event.group, let last = state.pending.last, last.event.group === group {
        state.pending[state.pending.count - 1] = Pending(
          event: last.event.followed(by: event), origins: last.origins + [event.origin],
          reordered: last.reordered + reordered)
      } else if event.group != nil || event.isVisible || !reordered.isEmpty {
        // Without changes, it holds its group together: in a derived list, it may have some.
        state.pending.append(
          Pending(event: event, origins: [event.origin], reordered: reordered))
      }
      return replaced
    }
    withExtendedLifetime(replaced) {
      for dependent in dependents.objects { dependent.show(event) }
    }
  }

  /// Returns true if the last pending event belongs to a group.
  func hasPending(_ group: EventGroup) -> Bool {
    state.withLock { $0.pending.last?.event.group === group }
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
      let event = pending.event.delivered
      tracking.hasChanged(
        event.changes, from: event.before.content, to: event.after.content,
        isWider: pending.event.changesTotalCount || !pending.reordered.isEmpty,
        unnamed: pending.reordered)
      if !event.changes.isEmpty { signals.send(event) }
    }
  }

  func deliver(_ error: any Error) {
    // A callback may release the model.
    if hasEnded.load() == 0 { signals.errors.send(error) }
  }
}

extension ShownEvent {
  fileprivate var changesTotalCount: Bool { before.totalCount != after.totalCount }

  /// True if readers of the list may see a difference in rows.
  fileprivate var isVisible: Bool { !changes.isEmpty || changesTotalCount }

  /// Returns one event for this event and a later one that concerns other sections.
  ///
  /// The later one may move the reordered sections, so the caller keeps their ids.
  func followed(by later: ShownEvent) -> ShownEvent {
    ShownEvent(
      before: before, lazyChanges: LazyChanges(known: changes.followed(by: later.changes)),
      after: later.after, versions: versions.union(later.versions), origin: origin,
      isNewQuery: isNewQuery || later.isNewQuery, group: group, reordered: [])
  }
}

extension ClosedRange<Int64> {
  /// Returns the smallest range that has both.
  func union(_ other: ClosedRange) -> ClosedRange {
    Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }
}
