internal import ListDiffing
internal import Locking
internal import Relays

/// What a derived model shows, and what its subscribers haven't been told yet.
final class DerivedCore<Row: Diffable & Sendable>: DerivedTeller {
  private struct Untold: Sendable {
    var event: ListEvent<Row>
    /// The events of models that it comes of; told with the first of them.
    var origins: [EventOrigin]
  }

  private struct State: Sendable {
    /// Nil while the first version is made.
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

  /// Calls nobody any more.
  func end() { hasEnded.store(1) }

  /// What is shown now.
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

  /// Shows what comes of an event, also in all that is derived from this.
  ///
  /// One without changes is told to nobody; what it brings may be seen in derived lists.
  func show(_ event: ListEvent<Row>) {
    // What is replaced is released when the lock is gone.
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

  /// Whether an event of a group is the last that hasn't been told.
  func hasUntold(_ group: EventGroup) -> Bool {
    state.withLock { $0.untold.last?.event.group === group }
  }

  func tell(_ origin: EventOrigin) {
    // Events are told in order, so one whose origin told nobody takes those before it along.
    let told = state.withLock { state -> [Untold] in
      guard let last = state.untold.lastIndex(where: { $0.origins.contains(origin) }) else {
        return []
      }
      let told = state.untold[...last]
      state.untold.removeFirst(told.count)
      return Array(told)
    }
    // A callback may drop the model.
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
  /// This event and a later one that concerns other sections, as one.
  func followed(by later: ListEvent) -> ListEvent {
    ListEvent(
      before: before, changes: changes.followed(by: later.changes), after: later.after,
      versions: min(
        versions.lowerBound, later.versions.lowerBound)...max(
          versions.upperBound, later.versions.upperBound),
      origin: origin, isWhole: isWhole || later.isWhole, group: group)
  }
}
