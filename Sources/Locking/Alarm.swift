/// What one thread sleeps by, and others wake it with.
///
/// A call that comes while nobody sleeps isn't lost: the next sleep ends at once.
public final class Alarm: Sendable {
  private let hasRung = Awaited(false)

  /// An alarm that hasn't rung.
  public init() {}

  /// Wakes the thread that sleeps, or the one that next would.
  public func ring() { hasRung.change { $0 = true } }

  /// Sleeps until it rings, and no longer than a time, if there is one.
  ///
  /// The thread may wake before, as the system likes. A sleep of this kind costs a fourth of what a task's costs.
  public func sleep(for time: Duration? = nil) {
    hasRung.wait(atMost: time) { hasRung in
      defer { hasRung = false }
      return hasRung
    }
  }
}
