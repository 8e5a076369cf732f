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

  init(_ store: Store, _ tables: DayTables, speed: Double, startsFresh: Bool) throws {
    self.store = store
    self.speed = speed
    dispatcher = Dispatcher(store, tables: tables)
    _ = try dispatcher.open(fresh: startsFresh)
  }

  /// The time for which the board of the end stays before the day begins again.
  private static let pause = Duration.seconds(20)

  /// Goes on until the task is cancelled.
  ///
  /// - Throws: The errors of the store, or `CancellationError`.
  func run() async throws {
    if speed == 0 { return }
    let ticks = dispatcher.timeline.ticks
    let clock = ContinuousClock()
    var seen = -1
    var since = clock.now
    while true {
      try Task.checkCancellation()
      let tick = try store.find(Playhead.self, Playhead.onlyID)?.tick ?? 0
      if tick != seen { (seen, since) = (tick, clock.now) }
      // The day is over, or another program has written a tick that no day has.
      guard ticks.indices.contains(tick) else {
        try await clock.sleep(for: Self.pause)
        try startOver(after: tick)
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

  private func startOver(after tick: Int) throws {
    guard try store.find(Playhead.self, Playhead.onlyID)?.tick == tick else { return }
    _ = try dispatcher.open(fresh: true)
  }
}
