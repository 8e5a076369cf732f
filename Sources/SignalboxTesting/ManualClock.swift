internal import Locking

/// A clock that stands still until a test moves it.
///
///     let clock = ManualClock()
///     let searches = typedText.debounce(for: .seconds(1), clock: clock)
///     // … subscribe, send …
///     clock.advance(by: .seconds(1))
///
/// Whoever sleeps on it wakes when the time has come, in order of the times, and sees the time it
/// was waiting for or a later one. Sleeping until a time that has passed returns at once, so it
/// doesn't matter whether a task begins to sleep before or after the clock is moved.
/// ``waitForSleepers(_:)`` waits until tasks sleep, for a test that wants to know.
///
/// It can be used from any thread.
public final class ManualClock: Clock {
  /// A time on a manual clock.
  public struct Instant: InstantProtocol {
    /// How far the clock had been moved.
    public var offset: Duration

    /// The time `offset` after the clock was made.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// The time `duration` later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// How much later `other` is.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether `lhs` is the earlier one.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let state = Locked(ManualClockState())

  /// A clock at the beginning of its time.
  public init() {}

  /// The time to which the clock has been moved.
  public var now: Instant { state.withLock { $0.now } }

  /// Manual time has no steps.
  public var minimumResolution: Duration { .zero }

  /// How many tasks sleep.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Moves the clock on and wakes those whose time has come.
  ///
  /// Tasks wake on threads of their own: what they do then is not done yet when this returns.
  ///
  /// - Parameter duration: How far; 0 or more.
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
  ///   - deadline: When to wake.
  ///   - tolerance: Not needed: the time is exact.
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
  /// - Parameter count: How many sleeping tasks to wait for.
  public func waitForSleepers(_ count: Int = 1) async {
    try? await wait { state, id, continuation in
      guard state.sleepers.count < count else { return false }
      state.watchers.append(.init(id: id, count: count, continuation: continuation))
      return true
    }
  }

  /// Waits, if `enter` keeps the continuation, until it is resumed or the task is cancelled.
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
