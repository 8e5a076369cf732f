/// Lets a replay's minutes go by.
@MainActor struct Pace {
  /// Minutes of board time in a second; nil to wait for nothing.
  var speed: Double?

  /// Commits each tick when it is due, to the end, unless the task is cancelled.
  ///
  /// - Parameters:
  ///   - replay: what is replayed.
  ///   - committed: told after each commit.
  /// - Throws: `CancellationError`, what committing throws, or what `committed` does.
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
