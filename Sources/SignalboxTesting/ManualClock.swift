internal import Locking

/// A clock that stands still until a test moves it.
///
///     let clock = ManualClock()
///     let searches = typedText.debounce(for: .seconds(1), clock: clock)
///     // … subscribe, send …
///     clock.advance(by: .seconds(1))
///
/// Tasks that sleep on the clock wake when their time has come, in the order of their times. Each
/// of them sees the time that it waited for, or a later one. Sleeping until a time that has passed
/// returns at once. So it doesn't matter whether a task begins to sleep before or after the clock
/// is moved. A test that needs to know calls ``waitForSleepers(_:)``, which waits until tasks
/// sleep.
///
/// The clock can be used from any thread.
public final class ManualClock: Clock {
  /// A time on a manual clock.
  ///
  ///     let later = clock.now.advanced(by: .seconds(1))
  public struct Instant: InstantProtocol {
    /// The duration by which the clock had been moved.
    public var offset: Duration

    /// Creates the time `offset` after the clock was made.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// Returns the time `duration` later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns how much later `other` is.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Returns whether `lhs` is earlier than `rhs`.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let state = Locked(ManualClockState())

  /// Creates a clock at the beginning of its time.
  public init() {}

  /// The time to which the clock has been moved.
  public var now: Instant { state.withLock { $0.now } }

  /// The resolution, which is zero: manual time has no steps.
  public var minimumResolution: Duration { .zero }

  /// The number of tasks that sleep.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Moves the clock forward and wakes the tasks whose time has come.
  ///
  /// Tasks wake on their own threads. When this returns, their work isn't done yet.
  ///
  /// - Parameter duration: The duration by which the clock is moved; 0 or more.
  public func advance(by duration: Duration) {
    mustHold(duration >= .zero, "A clock can't be moved back, by \(duration)")
    advance { $0.advanced(by: duration) }
  }

  /// Moves the clock to `instant`, if that is later than now.
  ///
  /// - Parameter instant: The time to move to.
  public func advance(to instant: Instant) {
    advance { max($0, instant) }
  }

  private func advance(_ next: (Instant) -> Instant) {
    let due = state.withLock { state in
      state.now = next(state.now)
      return state.takeDue()
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Waits until the clock has been moved to `deadline`.
  ///
  /// - Parameters:
  ///   - deadline: The time to wake.
  ///   - tolerance: Not needed, because the time is exact.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await wait { state, id, continuation in
      guard deadline > state.now else { return false }
      state.sleepers.append(.init(id: id, deadline: deadline, continuation: continuation))
      return true
    }
  }

  /// Waits until at least `count` tasks sleep, or the caller's task is cancelled.
  ///
  /// - Parameter count: The number of sleeping tasks to wait for.
  public func waitForSleepers(_ count: Int = 1) async {
    try? await wait { state, id, continuation in
      guard state.sleepers.count < count else { return false }
      state.watchers.append(.init(id: id, count: count, continuation: continuation))
      return true
    }
  }

  /// Waits until the continuation is resumed or the task is cancelled, if `enter` keeps it.
  private func wait(
    _ enter:
      @escaping @Sendable (inout ManualClockState, Int, CheckedContinuation<Void, any Error>)
      -> Bool
  ) async throws {
    let id = state.withLock { $0.nextID() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (outcome, reached) = state.withLock { state in
          let outcome: Bool? =
            state.cancelled.remove(id) != nil ? nil : enter(&state, id, continuation)
          return (outcome, state.takeReached())
        }
        for watcher in reached { watcher.continuation.resume() }
        switch outcome {
        case nil: continuation.resume(throwing: CancellationError())
        case false?: continuation.resume()
        case true?: break
        }
      }
    } onCancel: {
      state.withLock { $0.cancel(id) }?.resume(throwing: CancellationError())
    }
    state.withLock { _ = $0.cancelled.remove(id) }
  }
}
