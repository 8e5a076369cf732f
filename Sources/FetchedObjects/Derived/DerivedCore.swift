internal import ListDiffing
internal import Locking
internal import Relays

/// The content that a derived model shows, and the events that are still to be delivered to its
/// subscribers.
final class DerivedCore<Row: Diffable & Sendable>: DerivedTeller {
  private struct Untold: Sendable {
    var event: ListEvent<Row>
    /// The events of models that it comes from.
    ///
    /// It is delivered with the first of them.
    var origins: [EventOrigin]
  }

  private struct State: Sendable {
    /// Nil while the first version is being made.
    var shown: (any ListContent<Row>)?
    var untold: [Untold] = []
  }

  /// The lists that are derived from this one.
  let dependents = ListDependents<Row>()
  let willChange = Relay<DerivedEvent<Row>>()
  let steps = Relay<DerivedEvent<Row>>()
  let didChange = Relay<DerivedEvent<Row>>()
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

  /// Shows the first version.
  func begin(with content: any ListContent<Row>) { state.withLock { $0.shown = content } }

  /// Shows the result of an event, in this list and in all lists derived from it.
  ///
  /// An event without changes isn't delivered to subscribers. Its effect may be visible in derived
  /// lists.
  func show(_ event: ListEvent<Row>) {
    // The replaced content is released after the lock.
    let replaced = state.withLock { state -> ((any ListContent<Row>)?, Untold?) in
      let replaced = (state.shown, state.untold.last)
      state.shown = event.after
      if let group = event.group, let last = state.untold.last, last.event.group === group {
        state.untold[state.untold.count - 1] = Untold(
          event: last.event.followed(by: event), origins: last.origins + [event.origin])
      } else if !event.changes.isEmpty {
        state.untold.append(Untold(event: event, origins: [event.origin]))
      }
      return replaced
    }
    withExtendedLifetime(replaced) { dependents.show(event) }
  }

  /// Returns true if the last pending event belongs to a group.
  func hasUntold(_ group: EventGroup) -> Bool {
    state.withLock { $0.untold.last?.event.group === group }
  }

  func tell(_ origin: EventOrigin) {
    // Events are delivered in order. If this isn't called for an event's origin, the event is
    // delivered with a later one.
    let told = state.withLock { state -> [Untold] in
      guard let last = state.untold.lastIndex(where: { $0.origins.contains(origin) }) else {
        return []
      }
      let told = state.untold[...last]
      state.untold.removeFirst(told.count)
      return Array(told)
    }
    // A callback may release the model.
    for untold in told where hasEnded.load() == 0 {
      tracking.hasChanged(
        untold.event.changes, from: untold.event.before, to: untold.event.after)
      let event = DerivedEvent(untold.event)
      willChange.send(event)
      steps.send(event)
      didChange.send(event)
    }
  }
}

extension ListEvent {
  /// Returns one event for this event and a later one that concerns other sections.
  func followed(by later: ListEvent) -> ListEvent {
    ListEvent(
      before: before, changes: changes.followed(by: later.changes), after: later.after,
      versions: min(
        versions.lowerBound, later.versions.lowerBound)...max(
          versions.upperBound, later.versions.upperBound),
      origin: origin, isWhole: isWhole || later.isWhole, group: group)
  }
}
