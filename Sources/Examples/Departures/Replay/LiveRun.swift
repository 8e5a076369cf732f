import Foundation
import TerminalScreen

/// Replays the day on a terminal's screen, where people look and choose.
@MainActor final class LiveRun {
  private let replay: Replay
  private let scene: BoardScene
  private let playback: Playback
  private let session: TerminalSession
  private let view: SceneView
  /// Why the replay can't go on.
  private var failure: (any Error)?
  /// The signal that asked for the end, if one did.
  private var signal: Int32?

  /// How often time goes by on the screen.
  private static let frame = Duration.milliseconds(40)

  /// - Throws: `TerminalError` if there is no keyboard.
  init(
    _ replay: Replay, speed: Double, note: String, isColored: Bool
  ) throws {
    self.replay = replay
    playback = Playback(speed: speed)
    scene = BoardScene(
      replay.presenter, playback, commands: replay.dispatcher, note: note)
    view = SceneView(scene: scene)
    session = try TerminalSession(isColored: isColored)
  }

  /// Runs until people quit.
  ///
  /// - Throws: ``EndedBySignal`` or `CancellationError` if a signal asked for the end, or what committing throws.
  func run() async throws {
    let time = Task { await self.letTimePass() }
    draw()
    for await event in session.events {
      switch event {
      case .key(let key): view.take(key)
      case .redraw(let size): session.redraw(size: size)
      case .end(let number): signal = number
      }
      if scene.hasEnded || signal != nil || failure != nil { break }
      draw()
    }
    time.cancel()
    await time.value
    session.close()
    if let failure { throw failure }
    // The program's own watch for signals may have been first; then the task is cancelled, and the loop over.
    if let signal { throw EndedBySignal(number: signal) }
    if Task.isCancelled { throw CancellationError() }
  }

  private func letTimePass() async {
    let clock = ContinuousClock()
    var last = clock.now
    do {
      while !Task.isCancelled {
        let now = clock.now
        if try advance(by: (now - last).seconds) { draw() }
        last = now
        try await clock.sleep(until: now + Self.frame)
      }
    } catch is CancellationError {
    } catch {
      failure = error
      session.close()
    }
  }

  /// Commits what is due, for the time of a frame at most; says whether anything is different.
  private func advance(by seconds: Double) throws -> Bool {
    guard let first = replay.remaining.first else {
      defer { playback.isOver = true }
      return !playback.isOver
    }
    let before = playback.minute
    let timeline = replay.dispatcher.timeline
    playback.advance(by: seconds, from: first.time, until: timeline.end)
    let clock = ContinuousClock()
    let end = clock.now + Self.frame
    while let tick = replay.remaining.first, let minute = playback.minute, tick.time <= minute {
      if clock.now > end {
        // The store can't keep up: the clock waits for it.
        playback.wait(at: tick.time)
        break
      }
      try replay.advance()
    }
    return playback.minute != before
  }

  private func draw() {
    do {
      session.show(try view.lines(size: session.size))
    } catch {
      scene.note = "\(error)"
    }
  }
}

/// A signal has asked for the end.
struct EndedBySignal: Error {
  let number: Int32
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
