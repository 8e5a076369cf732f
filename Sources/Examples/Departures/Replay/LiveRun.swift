/// Replays the day against a clock, and draws the board as it changes.
@MainActor struct LiveRun {
  let replay: Replay
  /// Minutes of board time in a second.
  let speed: Double
  let terminal: Terminal
  /// What people should know about the start, or nothing.
  var note = ""

  /// Runs to the end of the day, unless the task is cancelled.
  ///
  /// - Throws: `CancellationError`, or what committing throws.
  func run() async throws {
    if terminal.isScreen {
      terminal.open()
      defer { terminal.close() }
      try await play { draw($0) }
      draw(nil)
    } else {
      let terminal = terminal
      replay.presenter.onEvent = { terminal.print("\($0)") }
      try await play { _ in }
    }
  }

  private func draw(_ minute: Minute?) {
    let size = terminal.size
    // The last line is left for what comes after the board.
    let screen = Screen(width: size.width, height: size.height - 1, style: terminal.style)
    var page = replay.presenter.page(at: minute)
    page.note = note
    terminal.draw(screen.lines(for: page))
  }

  /// Lets each minute last as long as the speed says, and commits the ticks when they are due.
  private func play(show: (Minute) -> Void) async throws {
    guard let first = replay.remaining.first else { return }
    let clock = ContinuousClock()
    let start = clock.now
    var shown: ContinuousClock.Instant?
    var minute = first.time
    while let tick = replay.remaining.first {
      let due = start + .seconds(Double(minute - first.time) / speed)
      if due > clock.now { try await clock.sleep(until: due) }
      try Task.checkCancellation()
      if tick.time == minute { try replay.advance() }
      // At high speed many minutes share a picture.
      if shown.map({ clock.now - $0 > .milliseconds(40) }) ?? true {
        show(minute)
        shown = clock.now
      }
      minute = minute + 1
    }
  }
}
