// Waits until the jobs that have been added have run.
extension DeliveryQueue {
  /// An object whose release shows that a job has run, or was dropped with its actor.
  private final class Mark: Sendable {
    private let continuation: CheckedContinuation<Void, Never>

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

    deinit { continuation.resume() }
  }

  /// Waits until the jobs that have been added so far have run.
  ///
  /// - Returns: true if there were any.
  private func flush() async -> Bool {
    // If there is nothing to do, no thread is requested, because it may be long in coming.
    if isIdle { return false }
    await withCheckedContinuation { continuation in
      let mark = Mark(continuation)
      enqueue { withExtendedLifetime(mark) {} }
      run()
    }
    return true
  }

  /// Waits until the jobs that have been added so far here, and then in any shared context, have
  /// run.
  ///
  /// It also waits for values that are passed on from context to context, if they come to each
  /// once.
  package static func flush(_ first: DeliveryQueue) async {
    _ = await first.flush()
    var rounds = 0
    while true {
      let queues = shared
      let added = count(addedTo: queues)
      var wasBusy = false
      for queue in queues where await queue.flush() { wasBusy = true }
      // A queue that was flushed may have received jobs from one that wasn't, and so may a new
      // queue.
      let now = shared
      if !wasBusy && now.count == queues.count && count(addedTo: now) == added { return }
      rounds += 1
      // Other threads may go on adding jobs without end.
      if rounds > queues.count { return }
    }
  }

  private static func count(addedTo queues: [DeliveryQueue]) -> Int {
    queues.reduce(0) { $0 &+ $1.addedCount }
  }
}
