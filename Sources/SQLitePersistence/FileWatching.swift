/// How a store notices that others have written to its file: other processes, other stores and other
/// tools.
///
/// Whatever it is, a commit takes in what others have committed before its body runs, and
/// `store.refresh()` does so at once.
public struct FileWatching: Sendable, Hashable {
  /// How long it is from one look to the next.
  struct Intervals: Sendable, Hashable {
    /// While others write: since then, a second hasn't passed.
    let busy: Duration
    let idle: Duration
  }

  let intervals: Intervals?

  /// Looks every 15 milliseconds, and every 2 while others write.
  ///
  /// A look takes some microseconds.
  public static let automatic = FileWatching(
    intervals: Intervals(busy: .milliseconds(2), idle: .milliseconds(15)))

  /// Looks only when a commit begins, and for `store.refresh()`.
  public static let none = FileWatching(intervals: nil)

  /// Looks as often as this, whether or not others write.
  public static func every(_ interval: Duration) -> FileWatching {
    precondition(interval > .zero, "An interval of \(interval); use a positive one, or .none")
    return FileWatching(intervals: Intervals(busy: interval, idle: interval))
  }
}
