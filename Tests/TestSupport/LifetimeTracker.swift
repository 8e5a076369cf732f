import Foundation
public import Testing

/// Counts objects that are alive, to see that nothing keeps them.
///
///     LifetimeTracker.check { tracker in
///       let relay = Relay<Int>()
///       let object = tracker.track()
///       relay.subscribe { _ in _ = object }.cancel()
///     }
///
/// An issue is recorded if an object outlives the closure.
public final class LifetimeTracker: @unchecked Sendable {  // guarded by `lock`
  /// An object whose end is noticed.
  public final class Tracked: Sendable {
    private let tracker: LifetimeTracker

    fileprivate init(_ tracker: LifetimeTracker) {
      self.tracker = tracker
      tracker.add(1)
    }

    deinit { tracker.add(-1) }
  }

  private let lock = NSLock()
  private var alive = 0

  /// Creates a tracker without objects.
  public init() {}

  /// The number of tracked objects that are alive.
  public var aliveCount: Int { lock.withLock { alive } }

  /// Creates an object whose end is noticed.
  public func track() -> Tracked { Tracked(self) }

  /// Runs `body` and records an issue if a tracked object is alive after it.
  public static func check<Result>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (LifetimeTracker) throws -> Result
  ) rethrows -> Result {
    let tracker = LifetimeTracker()
    let result = try body(tracker)
    tracker.expectNoneAlive(sourceLocation: sourceLocation)
    return result
  }

  /// Runs `body` and records an issue if a tracked object is alive after it.
  public static func check<Result>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (LifetimeTracker) async throws -> Result
  ) async rethrows -> Result {
    let tracker = LifetimeTracker()
    let result = try await body(tracker)
    tracker.expectNoneAlive(sourceLocation: sourceLocation)
    return result
  }

  /// Records an issue if a tracked object is alive.
  public func expectNoneAlive(sourceLocation: SourceLocation = #_sourceLocation) {
    expectTrue(
      aliveCount == 0, "\(aliveCount) tracked objects are still alive.",
      sourceLocation: sourceLocation)
  }

  private func add(_ difference: Int) {
    lock.withLock { alive += difference }
  }
}
