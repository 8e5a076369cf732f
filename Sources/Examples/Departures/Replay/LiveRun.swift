import DeparturesModel
import Foundation
import Signalbox
import TerminalScreen

/// A replay of the day on a terminal's screen, where the user can browse.
@MainActor final class LiveRun {
  private let replay: Replay
  private let scene: BoardScene
  private let leavingSoon: LeavingSoon?
  private let playback: Playback
  private let session: TerminalSession
  private let view: SceneView
  /// The error because of which the replay can't continue.
  private var failure: (any Error)?
  /// The signal that requested the end, if there was one.
  private var signal: Int32?

  /// The interval at which the time on the screen advances.
  private static let frame = Duration.milliseconds(40)

  /// Creates a run.
  ///
  /// - Throws: `TerminalError` if there is no keyboard, or the errors of the store.
  init(
    _ replay: Replay, speed: Double, note: String, isColored: Bool
  ) throws {
    self.replay = replay
    playback = Playback(speed: speed)
    let timeline = replay.dispatcher.timeline
    // Hours before the first departure there is nothing to see, so the board begins with it.
    if replay.remaining.count == timeline.ticks.count,
      let first = timeline.ticks.first(where: { $0.steps.contains { $0.kind == .depart } })
    {
      while let tick = replay.remaining.first, tick.time <= first.time { try replay.advance() }
      playback.begin(at: first.time)
    }
    // A year has too many flights to count them each minute without an index.
    leavingSoon =
      replay.dispatcher.tables.isYear ? nil : try LeavingSoon(in: replay.presenter.store)
    scene = BoardScene(
      replay.presenter, playback, commands: replay.dispatcher, leavingSoon: leavingSoon, note: note)
    view = SceneView(scene: scene)
    session = try TerminalSession(isColored: isColored)
  }

  /// Runs until the user quits.
  ///
  /// - Throws: ``EndedBySignal`` or `CancellationError` if a signal requested the end, or the
  ///   errors of committing.
  func run() async throws {
    let time = Task { await self.letTimePass() }
    // It changes after the minute in which time alone has passed is drawn.
    let soon = leavingSoon?.follow { [weak self] in self?.draw() }
    defer { soon?.cancel() }
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
    // The program's own signal handler may have been first. Then the task is cancelled, and the
    // loop is over.
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

  /// Commits the ticks that are due, for at most the time of a frame.
  ///
  /// It returns true if anything has changed.
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
        // The store can't keep up, so the clock waits for it.
        playback.wait(at: tick.time)
        break
      }
      try replay.advance()
    }
    if let minute = playback.minute { replay.letTimePass(to: minute) }
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

/// An error that reports that a signal requested the end.
struct EndedBySignal: Error {
  let number: Int32
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
