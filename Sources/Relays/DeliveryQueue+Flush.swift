// Waiting until what has been added has run.
extension DeliveryQueue {
  /// Says when a job is through: also when it is dropped because its place is gone.
  private final class Mark: Sendable {
    private let continuation: CheckedContinuation<Void, Never>

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

    deinit { continuation.resume() }
  }

  /// Waits until what has been added so far has run.
  ///
  /// - Returns: whether anything had to.
  private func flush() async -> Bool {
    // A place with nothing to do isn't asked for a thread, which may be long in coming.
    if isIdle { return false }
    await withCheckedContinuation { continuation in
      let mark = Mark(continuation)
      enqueue { withExtendedLifetime(mark) {} }
      run()
    }
    return true
  }

  /// Waits until what has been added so far here, and then in any shared place, has run.
  ///
  /// What is passed on from place to place is waited for as well, if it comes to each once.
  package static func flush(_ first: DeliveryQueue) async {
    _ = await first.flush()
    var rounds = 0
    while true {
      let queues = shared
      let added = count(addedTo: queues)
      var wasBusy = false
      for queue in queues where await queue.flush() { wasBusy = true }
      // One that has been looked at may have got something from one that hadn't, and so may a new one.
      let now = shared
      if !wasBusy && now.count == queues.count && count(addedTo: now) == added { return }
      rounds += 1
      // Others may go on adding without end.
      if rounds > queues.count { return }
    }
  }

  private static func count(addedTo queues: [DeliveryQueue]) -> Int {
    queues.reduce(0) { $0 &+ $1.addedCount }
  }
}
