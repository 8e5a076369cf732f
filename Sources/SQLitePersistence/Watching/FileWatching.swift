internal import Locking

/// How a store notices that others have written to its file: other processes, other stores and other
/// tools.
///
/// Whatever it is, a commit takes in what others have committed before its body runs, and
/// `store.refresh()` does so at once.
public struct FileWatching: Sendable, Hashable {
  /// How long it is from one look to the next.
  package struct Intervals: Sendable, Hashable {
    /// Just after others have written, and for long afterwards.
    let busy: Duration
    let idle: Duration

    /// How long to wait for the next look, a time after the last commit of others.
    ///
    /// It is a hundredth of that time, so that who writes often is noticed soon, and a file that lies
    /// still costs little.
    package func interval(quietFor time: Duration) -> Duration { min(idle, max(busy, time / 100)) }
  }

  package let intervals: Intervals?

  /// Looks every 2 milliseconds while others write, and less often the longer they haven't, at the least
  /// every 15.
  ///
  /// It does so on a thread of its own. A look takes some microseconds.
  public static let automatic = FileWatching(
    intervals: Intervals(busy: .milliseconds(2), idle: .milliseconds(15)))

  /// Looks only when a commit begins, and for `store.refresh()`.
  public static let none = FileWatching(intervals: nil)

  /// Looks as often as this, whether or not others write.
  ///
  /// - Precondition: the interval is positive.
  public static func every(_ interval: Duration) -> FileWatching {
    mustHold(interval > .zero, "An interval of \(interval); use a positive one, or .none")
    return FileWatching(intervals: Intervals(busy: interval, idle: interval))
  }
}

extension FileWatching: CustomStringConvertible {
  /// Which of them it is: `automatic`, `none`, or `every 0.02 seconds`.
  public var description: String {
    switch self {
    case .automatic: "automatic"
    case .none: "none"
    default: intervals.map { "every \($0.busy)" } ?? "none"
    }
  }
}
