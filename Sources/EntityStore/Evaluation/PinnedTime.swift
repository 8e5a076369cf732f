/// The instant at which conditions of time have been evaluated, and how long the result holds.
package struct PinnedTime: Hashable, Sendable {
  /// The instant, in seconds since 1970.
  package let instant: Double
  /// The first later instant at which a condition may change for an object, or infinity.
  package let next: Double

  package init(instant: Double, next: Double) {
    self.instant = instant
    self.next = next
  }

  /// Returns the time for a result that couldn't be evaluated, to try again.
  package func retrying(at now: Double) -> PinnedTime {
    PinnedTime(instant: instant, next: Self.retry(at: now, since: instant))
  }

  /// Returns the instant at which to try again what hasn't succeeded since `start`.
  ///
  /// The pauses double, from a second to an hour.
  static func retry(at now: Double, since start: Double) -> Double {
    now + Swift.max(1, Swift.min(now - start, 3600))
  }
}
