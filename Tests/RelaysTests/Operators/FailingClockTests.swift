import Relays
import SignalboxTesting
import TestSupport
import Testing

/// A clock whose first sleep fails.
private struct FailingClock: Clock {
  struct Failure: Error {}

  let time = ManualClock()
  private let sleeps = Counter()

  var now: ManualClock.Instant { time.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    if sleeps.add() == 1 { throw Failure() }
    try await time.sleep(until: deadline)
  }
}

extension Relay {
  /// Returns a signal of one value in a second, by `throttle` or by `debounce`.
  func paced(
    _ clock: some Clock<Duration>, throttles: Bool
  ) -> Signal<Output> {
    throttles
      ? throttle(for: .seconds(1), clock: clock, latest: true)
      : debounce(for: .seconds(1), clock: clock)
  }
}

@Suite(.timeLimit(.minutes(20))) struct `Operators whose clock fails` {
  @Test(arguments: [false, true])
  func `R7: a timer goes on after a sleep that the clock refuses`(_ throttles: Bool) async {
    let clock = FailingClock()
    let relay = Relay<Int>()
    let log = Log<Int>()
    let token = relay.paced(clock, throttles: throttles).subscribe { log.note($0) }
    relay.send(1)
    relay.send(2)
    // The clock is asked again after a second.
    #expect(await becomesTrue { clock.time.sleeperCount == 1 })
    clock.time.advance(by: .seconds(1))
    #expect(await becomesTrue { log.entries == (throttles ? [1, 2] : [2]) })
    withExtendedLifetime(token) {}
  }
}
