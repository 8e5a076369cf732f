/// A signal that one thread sleeps on and other threads wake it with.
///
///     let wakeUp = WakeUp()
///     wakeUp.sleep(for: .seconds(1))  // ends earlier if another thread calls wakeUp.call()
///
/// A call that comes while no thread sleeps isn't lost: the next sleep ends at once.
public final class WakeUp: Sendable {
  private let isCalled = Monitor(false)

  /// Creates a signal that hasn't been called.
  public init() {}

  /// Wakes the thread that sleeps, or the next one that would.
  public func call() { isCalled.change { $0 = true } }

  /// Sleeps until a call comes, or until `time` has passed if there is one.
  ///
  /// The system may wake the thread earlier. Such a sleep costs a quarter of the sleep of a task.
  public func sleep(for time: Duration? = nil) {
    isCalled.wait(atMost: time) { isCalled in
      defer { isCalled = false }
      return isCalled
    }
  }
}
