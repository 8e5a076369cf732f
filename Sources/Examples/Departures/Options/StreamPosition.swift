import Signalbox

/// The position at which a reader of the stream continues: after a version, or at a cursor, which
/// has a check sum.
enum StreamPosition: Hashable, Sendable {
  case version(Int64)
  case cursor(FeedCursor)

  /// Parses `42`, or a cursor such as `03a1b2c3d4e5f607-42-8f0e1d2c3b4a5968`.
  ///
  /// The result is nil for anything else.
  init?(_ text: String) {
    if let version = Int64(text), version >= 0 {
      self = .version(version)
    } else if let cursor = FeedCursor(text) {
      self = .cursor(cursor)
    } else {
      return nil
    }
  }

  var version: Int64 {
    switch self {
    case .version(let version): version
    case .cursor(let cursor): cursor.version
    }
  }
}
