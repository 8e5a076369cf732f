internal import EntityStore

/// The value that an observing follower shows.
protocol ObservedContent: PendingValue {
  func differs(from other: Self) -> Bool
}

/// A follower that observes commits itself, and delivers each difference of one value.
protocol ObservingFollower: CommitObserver, Follower where Value: ObservedContent {
  var sendEvent: @Sendable (PendingChanges<Value>.Event) -> Void { get }
  var sendError: @Sendable (any Error) -> Void { get }

  /// Records for Observation that what is shown is about to be read.
  func noteRead()

  /// Reports to Observation that what is shown has changed.
  func noteChange()
}

extension ObservingFollower {
  /// The last error, or nil once a commit could be read again.
  var error: (any Error)? {
    noteRead()
    return core.change { $0.pending.error } ?? nil
  }

  func prepare(_ error: any Error, after version: Int64) -> PreparedDelivery? {
    PreparedDelivery { [self] in
      install { _, turn in PendingChange(turn: turn, error, version: nil) }
    }
  }

  func deliver(_ event: PendingChanges<Value>.Event) {
    // Merged commits may have restored the same value.
    let isChange = event.after.differs(from: event.before)
    if !isChange && !event.endsError { return }
    // Observation is notified only now, when everything in the delivery context shows the commit,
    // because this may call any code.
    noteChange()
    if isChange { sendEvent(event) }
  }

  func deliver(_ error: any Error) {
    noteChange()
    sendError(error)
  }

  /// Stops reading, and calls no subscriber any more.
  ///
  /// A running commit may keep this object alive for a while.
  func end() { core.release() }
}
