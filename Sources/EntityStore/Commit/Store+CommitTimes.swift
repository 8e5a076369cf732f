public import Relays

// Commits are measured for the hooks and for the subscribers of `commitTimes`, once for both.
extension Store {
  /// Has the times of each commit of this store, once its immediate subscribers have been called.
  ///
  /// A commit is measured only while there is a subscription, or if the store has hooks. Otherwise
  /// it pays for a look at their number. A commit that failed has its times, too. External commits
  /// have none.
  @_spi(Inspection) public var commitTimes: Signal<Commit.Times> { timesRelay.signal }

  /// Begins to measure a commit, if anybody wants its times.
  func newWatch(_ name: String?) -> CommitWatch? {
    if !hasHooks && !timesRelay.hasSubscribers { return nil }
    return startWatch(name)
  }

  @inline(never)
  private func startWatch(_ name: String?) -> CommitWatch {
    let operation = hooks.map { hooks in
      let operation = StoreOperation(.commit, name: name)
      hooks.began(operation)
      return operation
    }
    return CommitWatch(name: name, operation)
  }

  /// Reports the times of a commit that has been made and delivered.
  func report(_ watch: CommitWatch, _ version: Int64?) {
    watch.end(.delivering)
    send(watch, watch.finish(version), nil)
  }

  /// Reports the times of a commit that has failed for good.
  func report(_ watch: CommitWatch, failed error: any Error) {
    watch.fail()
    send(watch, watch.finish(nil, error), error)
  }

  private func send(_ watch: CommitWatch, _ times: Commit.Times, _ error: (any Error)?) {
    if let hooks, let operation = watch.operation {
      hooks.ended(operation, StoreReport(times, error: error))
    }
    timesRelay.send(times)
  }
}
