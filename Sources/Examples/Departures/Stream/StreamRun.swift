import Signalbox

/// Replays the day and prints what changes, line by line, until it is over or nobody reads.
@MainActor struct StreamRun {
  let replay: Replay
  let options: Options
  let output: LineOutput

  /// Whether the store is the run's own: then each run has the same versions, and one that goes on after
  /// a version replays what comes before.
  static func isOwnStore(_ options: Options) -> Bool { options.isStream && options.store == nil }

  /// - Returns: whether it came to the end; false if the reader has gone.
  /// - Throws: `CancellationError`, or what committing throws.
  func run() async throws -> Bool {
    if Self.isOwnStore(options), let position = options.after {
      while replay.presenter.departures.snapshot.version < position.version,
        !replay.remaining.isEmpty
      {
        try Task.checkCancellation()
        try replay.advance()
      }
    }
    let stream = BoardStream(replay.presenter, of: replay.dispatcher.tables.fingerprint)
    try stream.start(after: options.after)
    do {
      if let line = try stream.line() { try output.print(json: line) }
      try await Pace(speed: options.isHeadless ? nil : options.speed).play(replay) { _ in
        if let line = try stream.line() { try output.print(json: line) }
      }
      if let line = try stream.line(isLast: true) { try output.print(json: line) }
      return true
    } catch is ReaderHasGone {
      return false
    }
  }
}
