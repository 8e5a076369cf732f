public import EntityStore
internal import Locking

extension StorageKind {
  /// The way in which a store notices that others have written to its file: other processes, other
  /// stores and other tools.
  ///
  ///     let store = try Store(
  ///       .sqlite(path: path, watching: .every(.seconds(1))), entities: [Dog.self])
  ///
  /// Some calls merge external commits in any case: a commit before its body runs,
  /// `store.refresh()`, and those that read the newest version, such as a model's `setQuery`.
  public struct FileWatching: Sendable, Hashable {
    /// The times from one check to the next.
    package struct Intervals: Sendable, Hashable {
      /// The times just after external commits, and long after the last one.
      let busy: Duration
      let idle: Duration
      /// The time while the system reports the next write, or nil if it needn't be asked to.
      let armed: Duration?

      package init(busy: Duration, idle: Duration, armed: Duration? = nil) {
        self.busy = busy
        self.idle = idle
        self.armed = armed
      }

      /// Returns the time until the next check, at a given time after the last external commit.
      ///
      /// It is a hundredth of the given time. So a frequent writer is noticed soon, and an idle
      /// file costs little.
      package func interval(quietFor time: Duration) -> Duration {
        min(idle, max(busy, time / 100))
      }

      /// Returns true if the system should report the next write: if others are quiet.
      func needsAlarm(quietFor time: Duration) -> Bool {
        armed != nil && interval(quietFor: time) == idle
      }
    }

    package let intervals: Intervals?

    /// A watch with a check every 2 milliseconds while others write.
    ///
    /// The longer others haven't written, the rarer the checks are. On Linux and on Apple's
    /// systems, the system reports the next write to a file that lies still, and there is one check
    /// a second besides. On other systems there is one every 15 milliseconds. Checks are made on a
    /// separate thread. One takes some microseconds.
    public static let automatic = StorageKind.FileWatching(
      intervals: Intervals(busy: .milliseconds(2), idle: .milliseconds(15), armed: .seconds(1)))

    /// No checks between the calls that merge external commits in any case.
    public static let none = StorageKind.FileWatching(intervals: nil)

    /// Returns a watch with checks at this interval, whether or not others write.
    ///
    /// - Precondition: the interval is positive.
    public static func every(_ interval: Duration) -> StorageKind.FileWatching {
      mustHold(interval > .zero, "An interval of \(interval); use a positive one, or .none")
      return StorageKind.FileWatching(intervals: Intervals(busy: interval, idle: interval))
    }
  }
}

extension StorageKind.FileWatching: CustomStringConvertible {
  /// The name of the value: `automatic`, `none`, or `every 0.02 seconds`.
  public var description: String {
    switch self {
    case .automatic: "automatic"
    case .none: "none"
    default: intervals.map { "every \($0.busy)" } ?? "none"
    }
  }
}
