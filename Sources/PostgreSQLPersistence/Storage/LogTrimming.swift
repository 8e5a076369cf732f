#if PostgreSQL
internal import SQLMapping

/// The rhythm in which a storage trims the change log.
///
/// The first commit does it, since the storage doesn't know what others have left.
struct LogTrimming {
  /// The parts of trimming.
  struct Parts: Equatable {
    /// True if the oldest versions are to be deleted, which takes no time if there are none.
    var versions: Bool
    /// True if it is to be found out what is too large to be read, which takes a look at many rows.
    var unread: Bool
  }

  /// The time between two looks at what is too large.
  private static let pause = Duration.seconds(60)
  /// The time until the next look after conflicts.
  private static let shortPause = Duration.seconds(5)

  /// The last 256 versions with which the oldest ones were deleted, by number.
  private var part: Int64?
  /// The time of the last look.
  private var looked: ContinuousClock.Instant?
  /// The number of bytes that the storage has logged since.
  private var bytes: Int64 = 0
  /// The number of commits with conflicts that have been trimming since the last look.
  private var conflicts = 0

  /// Returns the parts that are due with a commit's version, which logs some bytes.
  ///
  /// The oldest versions are deleted with the first of each 256 versions.
  mutating func next(
    _ version: Int64, bytes more: Int, at now: ContinuousClock.Instant
  ) -> Parts {
    bytes += Int64(more)
    var parts = Parts(versions: false, unread: false)
    if part != version / 256 {
      part = version / 256
      parts.versions = true
    }
    if looked.map({ now - $0 >= Self.pause }) ?? true || bytes > ChangeLogObjects.mostBytesRead {
      (looked, bytes, conflicts) = (now, 0, 0)
      parts.unread = true
    }
    return parts
  }

  /// Notes that a commit which was to trim had a conflict, with `tried` for its state.
  ///
  /// The next commit trims. But the conflict may be one of trimming, such as with a tool that has
  /// locked the change log. Then not each commit must fail for it.
  mutating func noteConflict(_ tried: LogTrimming, at now: ContinuousClock.Instant) {
    let number = conflicts + 1
    if number > 1 {
      self = tried
      looked = now - Self.pause + Self.shortPause
    }
    conflicts = number
  }
}
#endif
