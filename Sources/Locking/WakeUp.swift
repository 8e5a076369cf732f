/// What one thread sleeps by, and others wake it with.
///
/// A call that comes while nobody sleeps isn't lost: the next sleep ends at once.
public final class WakeUp: Sendable {
  private let isCalled = Monitor(false)

  /// No call has come yet.
  public init() {}

  /// Wakes the thread that sleeps, or the one that next would.
  public func call() { isCalled.change { $0 = true } }

  /// Sleeps until a call comes, and no longer than a time, if there is one.
  ///
  /// The thread may wake before, as the system likes. A sleep of this kind costs a fourth of what a task's costs.
  public func sleep(for time: Duration? = nil) {
    isCalled.wait(atMost: time) { isCalled in
      defer { isCalled = false }
      return isCalled
    }
  }
}
