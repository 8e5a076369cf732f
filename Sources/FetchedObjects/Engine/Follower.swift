internal import EntityStore
internal import Locking

/// An object that shows an observer's values in one delivery context, and delivers the changes
/// there.
///
/// A model is built on a follower. The follower knows no entity type; the model adds the type.
protocol Follower: CommitListener {
  associatedtype Value: PendingValue
  associatedtype Details: FollowerDetails

  /// The shown value, and the changes that wait to be shown.
  var core: FollowerCore<Value, Details> { get }

  /// Passes on an event that has been shown, before any callback runs in the delivery context.
  func didShow(_ event: PendingChanges<Value>.Event)

  /// Calls the subscribers with an event.
  func deliver(_ event: PendingChanges<Value>.Event)

  /// Forgets an event that has been shown, because no subscriber is called any more.
  func drop(_ event: PendingChanges<Value>.Event)

  /// Calls the subscribers with an error.
  func deliver(_ error: any Error)
}

extension Follower {
  func didShow(_ event: PendingChanges<Value>.Event) {}
  func drop(_ event: PendingChanges<Value>.Event) {}

  func show(_ turn: Int) {
    if let event = core.changePending({ $0.show(turn) }) ?? nil { didShow(event) }
  }

  func deliver() {
    // News is removed even if no subscriber is called any more, so that it doesn't accumulate.
    while let (news, isLast) = core.popNews() {
      switch news {
      case .event(let event): if core.hasEnded { drop(event) } else { deliver(event) }
      case .error(let error): if !core.hasEnded { deliver(error) }
      }
      if isLast { return }
    }
  }

  /// Adds a pending change for a follower that observes commits itself, unless it has ended.
  ///
  /// - Returns: the follower's entry if there is something to deliver.
  func install(
    _ change: (inout FollowerCore<Value, Details>.State, _ turn: Int) -> PendingChange<Value>?
  ) -> ContiguousArray<ListenerEntry> {
    ReleasePool.add(self)
    return core.append(change) ? [core.entry] : []
  }

  var shown: Value { core.withState { $0.pending.shown } }

  /// The last error, or nil once a commit has been read again.
  var error: (any Error)? { core.withState { $0.pending.error } }

  /// The event that would show everything that waits, or nil if no value waits.
  var waitingEvent: PendingChanges<Value>.Event? {
    core.change { $0.pending.waitingEvent } ?? nil
  }

  /// The number of steps that wait to be shown.
  var waitingCount: Int { core.withState { $0.pending.waitingCount } }

  var entry: ListenerEntry { core.entry }

  /// True if the shown value is kept until `resume()` is called.
  var isPaused: Bool { core.change { $0.pending.isPaused } ?? false }

  /// Keeps the shown value until `resume()` is called.
  func pause() { core.change { $0.pending.pause() } }

  /// Shows and delivers the changes since `pause()` as one event, in the delivery context.
  func resume() {
    core.takeTurn { turn in core.changePending { $0.resume(turn: turn) } ?? false }
  }

  /// Stops calling subscribers.
  ///
  /// A running commit may keep this object alive a little longer.
  func end() { core.end() }
}
