import DeparturesModel
import Foundation
import Signalbox

/// The replay of the day, which commits a tick when it is due.
///
/// Several servers may replay one store. Each looks at the playhead that the others have moved, so
/// together they keep the same pace as one, and one goes on when another has ended.
final class BoardRun: Sendable {
  let store: Store
  let dispatcher: Dispatcher
  private let speed: Double
  /// The time of the day at which the board stands still, in minutes since midnight.
  private let end: Int?

  init(
    _ store: Store, _ tables: DayTables, speed: Double, until end: Int?, startsFresh: Bool
  ) throws {
    self.store = store
    self.speed = speed
    self.end = end
    dispatcher = Dispatcher(store, tables: tables)
    _ = try dispatcher.open(fresh: startsFresh)
  }

  /// The time for which the board of the end stays before the day begins again.
  private static let pause = Duration.seconds(20)

  /// Goes on until the board's clock has reached the end, or the task is cancelled.
  ///
  /// - Throws: The errors of the store, or `CancellationError`.
  func run() async throws {
    if speed == 0 { return }
    let ticks = dispatcher.timeline.ticks
    let clock = ContinuousClock()
    var last = try lastTick()
    var seen = -1
    var since = clock.now
    while true {
      try Task.checkCancellation()
      let tick = try store.find(Playhead.self, Playhead.onlyID)?.tick ?? 0
      if let last, tick >= last { return }
      if tick != seen { (seen, since) = (tick, clock.now) }
      // The day is over, or another program has written a tick that no day has.
      guard ticks.indices.contains(tick) else {
        try await clock.sleep(for: Self.pause)
        try startOver(after: tick)
        last = try lastTick()
        continue
      }
      let wait = tick == 0 ? 0 : Double(ticks[tick].time - ticks[tick - 1].time) / speed
      let due = since + .seconds(wait)
      if due > clock.now {
        try await clock.sleep(until: due)
        continue
      }
      do {
        try dispatcher.apply(ticks[tick])
      } catch ReplayError.overtaken {
        // Another server was first. Its tick is the next one that is seen.
        try await clock.sleep(for: .milliseconds(10))
      }
    }
  }

  /// Returns the first tick, from the stored one on, at which the clock has reached the end.
  private func lastTick() throws -> Int? {
    let ticks = dispatcher.timeline.ticks
    let stored = max(0, try (store.find(Playhead.self, Playhead.onlyID)?.tick ?? 0) &- 1)
    guard let end, ticks.indices.contains(stored) else { return nil }
    let now = ticks[stored].time
    let shown = (now.sinceEpoch + dispatcher.tables.clockOffset) % 1440
    let last = now + (end - shown + 1440) % 1440
    return ticks[stored...].first { $0.time >= last }?.number
  }

  private func startOver(after tick: Int) throws {
    guard try store.find(Playhead.self, Playhead.onlyID)?.tick == tick else { return }
    _ = try dispatcher.open(fresh: true)
  }
}
