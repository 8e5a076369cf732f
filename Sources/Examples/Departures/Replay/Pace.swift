import DeparturesModel

/// The speed at which a replay runs.
@MainActor struct Pace {
  /// The number of minutes of board time per second, or nil to run without waiting.
  var speed: Double?

  /// Commits each tick when it is due, to the end, unless the task is cancelled.
  ///
  /// - Parameters:
  ///   - replay: The replay.
  ///   - committed: A closure that is called after each commit.
  /// - Throws: `CancellationError`, the errors of committing, or the error that `committed` throws.
  func play(_ replay: Replay, committed: (Timeline.Tick) throws -> Void) async throws {
    guard let first = replay.remaining.first else { return }
    let clock = ContinuousClock()
    let start = clock.now
    while let tick = replay.remaining.first {
      try Task.checkCancellation()
      if let speed {
        let due = start + .seconds(Double(tick.time - first.time) / speed)
        if due > clock.now { try await clock.sleep(until: due) }
      }
      try replay.advance()
      try committed(tick)
    }
  }
}
