import DeparturesModel
import Signalbox

/// A run that replays the day and prints its changes line by line.
///
/// It ends with the day, or when the reader closes the output.
@MainActor struct StreamRun {
  let replay: Replay
  let options: Options
  let output: LineOutput

  /// Returns true if the store belongs to this run alone.
  ///
  /// Then each run has the same versions. A run that continues after a version replays everything
  /// before it.
  static func isOwnStore(_ options: Options) -> Bool {
    options.isStream && options.store == nil && options.server == nil
  }

  /// Runs the stream.
  ///
  /// - Returns: True if it reached the end, false if the reader has closed the output.
  /// - Throws: `CancellationError`, or the errors of committing.
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
