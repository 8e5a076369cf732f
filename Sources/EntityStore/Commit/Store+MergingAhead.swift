internal import Locking

// A read of the storage may see an external commit before this store has merged it. If a model
// showed it then, with an event, it would be the only one in its delivery context that does (F13).
extension Store {
  /// Runs `body`, and passes it a function that merges external commits.
  ///
  /// The function merges the commits up to a version that `body` has read.
  ///
  /// It does nothing if there is nothing to merge. If another thread begins a commit and waits for
  /// the file, the function waits for 10 ms at most. Deliveries wait until `body` has returned, so
  /// `body` may hold locks.
  package func mergingAhead<Result>(
    _ body: (_ merge: (_ version: Int64) throws -> Void) throws -> Result
  ) rethrows -> Result {
    var merging: Merging?
    // The hooks follow when no lock is held.
    defer { if let merging { report(merging) } }
    return try deferringDeliveries {
      try body { version in try mergeAhead(version, &merging) }
    }
  }

  /// A merge that is reported afterwards.
  private struct Merging {
    var duration = Duration.zero
    var versions: ClosedRange<Int64>?
    var error: (any Error)?
  }

  private func report(_ merging: Merging) {
    hooks.begin(.merging)?.end(after: merging.duration, merging.versions, merging.error)
  }

  private func mergeAhead(_ version: Int64, _ merging: inout Merging?) throws {
    // In the body of a commit, everything that can be read has been merged.
    if writer.isHeldHere { return }
    if merged.value >= version {
      // The thread that merges it may not have taken its turns yet.
      waitForPublishing()
      return
    }
    // It may be a commit of this store.
    waitForPublishing()
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(10)
    // This doesn't wait for the body of another thread's commit: everything that can be read was
    // merged before that body began.
    while merged.value < version {
      if writer.lockHereIfFree() {
        defer { writer.unlockHere() }
        try mergeReporting(&merging)
        return
      }
      if clock.now >= end { break }
      CurrentThread.yield()
    }
    waitForPublishing()
  }

  private func mergeReporting(_ merging: inout Merging?) throws {
    guard hooks != nil else {
      _ = try mergeNewest()
      return
    }
    let (start, known) = (ContinuousClock.now, lastVersion)
    var error: (any Error)?
    do { _ = try mergeNewest() } catch let failure { error = failure }
    merging = Merging(duration: .now - start, versions: versions(since: known), error: error)
    if let error { throw error }
  }
}
