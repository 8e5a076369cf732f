internal import EntityStore
internal import Locking

/// Shows what an observer has led to in one delivery context, and delivers the changes there: what a model stands on.
///
/// A follower knows no entity type; the model is its typed face.
protocol Follower: CommitListener {
  associatedtype Value: PendingValue
  associatedtype Details: Sendable

  /// What it shows, and what waits.
  var core: FollowerCore<Value, Details> { get }

  /// Passes on an event that is shown, before any callback in the delivery context.
  func didShow(_ event: PendingChanges<Value>.Event)

  /// Calls the subscribers with an event.
  func deliver(_ event: PendingChanges<Value>.Event)

  /// Calls the subscribers with an error.
  func deliver(_ error: any Error)
}

extension Follower {
  func didShow(_ event: PendingChanges<Value>.Event) {}

  func show(_ turn: Int) {
    if let event = core.change({ $0.pending.show(turn) }) ?? nil { didShow(event) }
  }

  func tell() {
    // Taken out also when nobody is called any more, so that it doesn't pile up.
    while let (news, isLast) = core.popNews() {
      if !core.hasEnded {
        switch news {
        case .event(let event): deliver(event)
        case .error(let error): deliver(error)
        }
      }
      if isLast { return }
    }
  }

  /// The value as it is shown now.
  var shown: Value { core.withState { $0.pending.shown } }

  /// The last error, until a commit has been read again.
  var error: (any Error)? { core.withState { $0.pending.error } }

  /// The number of steps that wait to be shown.
  var waitingCount: Int { core.withState { $0.pending.waitingCount } }

  /// Its entry in its delivery context.
  var entry: ListenerEntry { core.entry }

  /// Adds an error to what waits.
  ///
  /// - Returns: Whether there is something to deliver.
  func append(_ error: any Error, version: Int64?) -> Bool {
    core.append { _, turn in PendingChange(turn: turn, error, version: version) }
  }

  /// Keeps what is shown until `resume()`.
  func pause() { core.change { $0.pending.pause() } }

  /// Shows and delivers what has come meanwhile, in its delivery context, as one event.
  func resume() {
    core.takeTurn { turn in core.change { $0.pending.resume(turn: turn) } ?? false }
  }

  /// Calls nobody any more.
  ///
  /// A running commit may hold this for a while yet.
  func end() { core.end() }
}
