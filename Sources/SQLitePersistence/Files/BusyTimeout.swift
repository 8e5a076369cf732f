internal import Locking

/// The time for which a connection waits while another one has the file.
struct BusyTimeout: Sendable {
  static let standard = BusyTimeout(.seconds(5))
  /// The longest time that may be waited for.
  private static let most = Duration.milliseconds(Int64(Int32.max))

  let duration: Duration

  init(_ duration: Duration) { self.duration = duration }

  /// Creates a timeout that an app has given.
  ///
  /// - Precondition: `duration` isn't negative, and has at most 24 days.
  init(checking duration: Duration) {
    mustHold(duration >= .zero, "A busy timeout of \(duration); use 0 or more")
    mustHold(
      duration <= Self.most,
      "A busy timeout of \(duration), which is too long; use 24 days at most")
    self.init(duration)
  }
}
