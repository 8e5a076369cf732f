import Locking
import Relays
import SignalboxTesting
import TestSupport
import Testing

/// A clock that can be set, as a wall clock can.
private final class WallClock: Clock, Sendable {
  let time = ManualClock()
  private let shift = Locked(Duration.zero)

  var now: ManualClock.Instant { time.now.advanced(by: shift.withLock { $0 }) }
  var minimumResolution: Duration { .zero }

  func set(by change: Duration) { shift.withLock { $0 += change } }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    while now < deadline {
      try await time.sleep(until: deadline.advanced(by: .zero - shift.withLock { $0 }))
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct `Operators whose clock is set back` {
  @Test(arguments: [false, true])
  func `R7: a value comes after its span, and not when the clock is where it was`(
    _ throttles: Bool
  ) async {
    let clock = WallClock()
    clock.set(by: .seconds(100))
    let relay = Relay<Int>()
    let log = Log<Int>()
    let token = relay.paced(clock, throttles: throttles).subscribe { log.note($0) }
    relay.send(1)
    #expect(await becomesTrue { clock.time.sleeperCount == 1 })
    clock.set(by: .seconds(-100))
    relay.send(2)
    // The task that sleeps for too long is cancelled, and another one sleeps.
    for _ in 0..<2 {
      clock.time.advance(by: .seconds(1))
      #expect(await becomesTrue { log.entries == (throttles ? [1, 2] : [2]) })
    }
    relay.send(3)
    clock.time.advance(by: .seconds(5))
    #expect(await becomesTrue { log.entries.last == 3 })
    withExtendedLifetime(token) {}
  }
}
