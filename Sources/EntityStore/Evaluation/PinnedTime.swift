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

  /// Returns the instant at which to try again what hasn't succeeded since `start`.
  ///
  /// The pauses double, from a second to a minute.
  static func retry(at now: Double, since start: Double) -> Double {
    now + Swift.max(1, Swift.min(now - start, 60))
  }
}
