internal import Locking

/// The clock of a store: what `.now` is in the conditions of its queries, and how to wait.
///
///     let clock = ManualClock()
///     let store = try Store(
///       .inMemory, entities: [Task.self], time: TimeSource(clock, secondsSince1970: 1_000_000))
///
/// A store uses the system's clock unless it is given another one. A clock may be set back or
/// forward: models then show what is true by the time that it gives.
public struct TimeSource: Sendable {
  let read: @Sendable () -> Double
  let sleep: @Sendable (_ instant: Double) async throws -> Void

  /// Creates a time source of two functions.
  ///
  /// - Parameters:
  ///   - now: returns the seconds since 1970. It is called under locks of the store, so it must
  ///     not use the store or its models.
  ///   - sleep: returns when that many seconds since 1970 have come, or soon after. It may return
  ///     earlier, and throws if its task is cancelled.
  public init(
    now: @escaping @Sendable () -> Double,
    sleep: @escaping @Sendable (_ until: Double) async throws -> Void
  ) {
    read = now
    self.sleep = sleep
  }

  /// Creates a time source that moves with a clock.
  ///
  /// - Parameters:
  ///   - clock: the clock.
  ///   - seconds: the time that it is now, in seconds since 1970.
  public init<C: Clock>(_ clock: C, secondsSince1970 seconds: Double)
  where C.Duration == Duration {
    let start = clock.now
    self.init {
      seconds + start.duration(to: clock.now).inSeconds
    } sleep: { instant in
      let now = clock.now
      let rest = instant - seconds - start.duration(to: now).inSeconds
      // The time that is read is rounded, so it can reach the instant a little earlier. Half of the
      // rest is always slept, so that a clock that stands just before the instant is waited for.
      try await Self.sleep(Swift.max(rest - 2 * instant.ulp, rest / 2), after: now, clock)
    }
  }

  /// The system's clock.
  public static let system = TimeSource {
    SystemTime.secondsSince1970
  } sleep: { instant in
    let clock = ContinuousClock()
    let start = clock.now
    try await sleep(instant - SystemTime.secondsSince1970, after: start, clock)
  }

  /// Sleeps for some seconds, or for as many as clocks can: they count nanoseconds in 64 bits.
  private static func sleep<C: Clock>(_ seconds: Double, after start: C.Instant, _ clock: C)
    async throws where C.Duration == Duration
  {
    let wait = Duration.seconds(Swift.max(0, Swift.min(seconds, 3e9)))
    try await clock.sleep(until: start.advanced(by: wait), tolerance: nil)
  }

  /// The present time in seconds since 1970.
  ///
  /// - Precondition: the clock gives a finite number.
  package var now: Double {
    let now = read()
    mustHold(now.isFinite, "A clock gives \(now) seconds since 1970; give a finite number")
    return now
  }
}
