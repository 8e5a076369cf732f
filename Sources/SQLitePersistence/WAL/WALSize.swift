/// The length of the WAL, and the lengths at which it is checkpointed.
struct WALSize {
  /// An action that a commit has to take.
  enum Step {
    case nothing
    /// Another thread has to checkpoint.
    case ask
    /// The next commit has to checkpoint before it begins.
    case checkpoint
  }

  /// The number of bytes of the WAL that stay when it starts again.
  ///
  /// With pages of 4 KB, this is more than the WAL usually has when commits checkpoint it. So it
  /// isn't truncated and extended all the time.
  static let mostBytes = 5000 * 4120

  /// The number of bytes by which a long WAL is extended at once.
  private static let longestExtension: Int64 = 1 << 20

  /// The number of bytes of a page.
  var pageSize: Int64 = 4096
  /// The number of bytes of the WAL's file, or 0 if it isn't known.
  ///
  /// If somebody has truncated the file, it may have fewer.
  var end: Int64 = 0
  /// The number of pages after the last commit.
  private(set) var length: Int32 = 0
  /// True if a commit has written pages since a checkpoint was last considered.
  var hasGrown = false
  /// The number of pages that it may have before another thread checkpoints it.
  var long: Int32 = 1000
  /// The number of pages that it may have before a commit checkpoints it.
  ///
  /// A commit may make it far longer at once. Then it may grow as much further, while another
  /// thread checkpoints, as from `long` to here.
  var most: Int32 = 4000
  /// The number of times that a commit has checkpointed.
  var checkpoints = 0
  /// True if the next commit has to checkpoint before it begins.
  var isDue = false
  /// The numbers of pages when a checkpoint was first and last requested, or 0 before that.
  private var firstAsked: Int32 = 0
  private var asked: Int32 = 0
  /// The number of pages when a commit last had to checkpoint, or 0 before that.
  private var tried: Int32 = 0

  /// Notes the number of pages after a commit that has written some.
  mutating func noteLength(_ pages: Int32) {
    // A WAL that starts again may have been truncated.
    if pages < length { end = 0 }
    (length, hasGrown) = (pages, true)
  }

  /// The number of bytes that the WAL's pages take; a page has a header of 24 bytes.
  private var used: Int64 { Int64(length) * (pageSize + 24) }

  /// True if the next commit is likely to need no longer file: most have at most eight pages.
  var hasRoom: Bool { end - used >= 8 * pageSize }

  /// The number of bytes by which the file should be extended, or nil if it shouldn't.
  ///
  /// It is extended by its own length, so that a few commits don't cost much. A file that is
  /// shorter than its pages has been emptied meanwhile, and nobody knows how long the WAL is.
  var missingBytes: Int64? {
    if hasRoom || end < used { return nil }
    return used + max(16 * pageSize, min(used, Self.longestExtension)) - end
  }

  /// Returns the action that a commit has to take.
  ///
  /// The other thread is always asked first, however long the WAL is. The same action isn't
  /// returned again until the WAL has grown considerably.
  mutating func measure() -> Step {
    // The WAL has started again.
    if length <= max(asked, tried) { (firstAsked, asked, tried) = (0, 0, 0) }
    if firstAsked == 0, length >= long {
      (firstAsked, asked) = (length, length)
      return .ask
    }
    // While a long read keeps the WAL from starting again, checkpoints become rarer.
    if length - max(0, firstAsked - long) >= most, length >= tried + tried / 4 {
      tried = length
      return .checkpoint
    }
    if length >= long, length - asked >= long {
      asked = length
      return .ask
    }
    return .nothing
  }
}
