internal import Locking

/// A database's file, and what opening it needs.
struct DatabaseFile: Sendable {
  var path: String
  /// The name of one of SQLite's file systems, or nil for the default one.
  var vfs: String?
  /// The key, or nil if the file isn't encrypted.
  var key: FileKey?

  init(_ path: String, vfs: String? = nil, key: FileKey? = nil) {
    self.path = path
    self.vfs = vfs
    self.key = key
  }

  /// Another file that is opened in the same way.
  func other(_ path: String) -> DatabaseFile {
    var other = self
    other.path = path
    return other
  }
}

/// The key of an open file, which all of its connections share, and which may be changed.
final class FileKey: Sendable {
  private let current: Locked<EncryptionKey>

  init(_ key: EncryptionKey) { current = Locked(key) }

  var value: EncryptionKey {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}
