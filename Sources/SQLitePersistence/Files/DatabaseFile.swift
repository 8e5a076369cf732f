#if TEST_KEY && canImport(Glibc)
internal import Glibc
#elseif TEST_KEY && canImport(Darwin)
internal import Darwin
#endif

/// A database's file, and what opening it needs.
struct DatabaseFile: Sendable {
  var path: String
  /// The name of one of SQLite's file systems, or nil for the default one.
  var vfs: String?
  /// The key, or nil if the file isn't encrypted.
  var key: FileKey?
  /// True if neither the file nor anything beside it may be written or created.
  var isReadOnly = false
  /// The time for which a connection waits for others, if it may write.
  var busyTimeout = Duration.seconds(5)

  init(_ path: String, vfs: String? = nil, key: FileKey? = nil) {
    self.path = path
    self.vfs = vfs
    #if TEST_KEY
    self.key = key ?? Self.testKey
    #else
    self.key = key
    #endif
  }

  #if TEST_KEY
  /// The key of all files in a build for tests alone: what holds of a file holds of an encrypted
  /// one.
  private static var testKey: FileKey? {
    getenv("SIGNALBOX_TEST_KEY").map { _ in FileKey(.bytes(0..<32)) }
  }
  #endif

  /// A copy of the file, which is written.
  func copy(_ path: String) -> DatabaseFile {
    var copy = other(path)
    copy.isReadOnly = false
    return copy
  }

  /// Another file that is opened in the same way.
  func other(_ path: String) -> DatabaseFile {
    var other = self
    other.path = path
    return other
  }
}
