internal import Locking

// What reads the storage may see a commit by another process before this store has taken it in. A model that shows
// it then, with an event, would be the only one in its place that does (F13).
extension Store {
  /// Runs `body`, and passes it a function that takes in external commits up to a version that `body` has read.
  ///
  /// Deliveries wait until `body` has returned, so it may hold locks. The function does nothing where nothing is to
  /// be taken in. While another thread begins a commit and waits for the file, it waits with it for 10 ms at most.
  package func takingInAhead<Result>(
    _ body: (_ takeIn: (_ version: Int64) throws -> Void) throws -> Result
  ) rethrows -> Result {
    try deferringDeliveries { try body { version in try takeInAhead(version) } }
  }

  private func takeInAhead(_ version: Int64) throws {
    // In the body of a commit everything has been taken in that can be read.
    if writer.isHeldHere { return }
    if takenIn.value >= version {
      // Whoever takes it in may not have taken its turns yet.
      waitForPublishing()
      return
    }
    // It may be a commit of this store.
    waitForPublishing()
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(10)
    // The body of another thread's commit isn't waited for: what can be read has been taken in before it.
    while takenIn.value < version {
      if writer.lockHereIfFree() {
        defer { writer.unlockHere() }
        _ = try takeInNewest()
        return
      }
      if clock.now >= end { break }
      CurrentThread.yield()
    }
    waitForPublishing()
  }
}
