public import EntityStore
internal import Locking

/// A clock that a test sets, forward and back; a sleep on it ends only when it is cancelled.
public final class SetClock: Sendable {
  private let seconds: Locked<Double>
  private let sleeps = Locked<[Double]>([])

  /// A clock that shows a number of seconds since 1970.
  public init(_ seconds: Double = 100) { self.seconds = Locked(seconds) }

  /// The time that it shows.
  public var now: Double {
    get { seconds.withLock { $0 } }
    set { seconds.withLock { $0 = newValue } }
  }

  /// The instants until which the store has begun to sleep.
  public var begun: [Double] { sleeps.withLock { $0 } }

  /// The clock as a store takes it.
  public var source: TimeSource {
    TimeSource {
      self.now
    } sleep: { instant in
      self.sleeps.withLock { $0.append(instant) }
      // Its cancellation ends it; no test waits for its end.
      try await Task.sleep(for: .seconds(1_000_000))
    }
  }
}
