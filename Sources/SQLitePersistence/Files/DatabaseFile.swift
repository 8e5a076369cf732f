internal import Locking

#if TEST_KEY
internal import Foundation
#endif

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
    #if TEST_KEY
    self.key = key ?? Self.testKey
    #else
    self.key = key
    #endif
  }

  #if TEST_KEY
  /// The key of all files in a build for tests alone: what holds of a file holds of an encrypted
  /// one.
  static let testKey = getenv("SIGNALBOX_TEST_KEY").map { _ in FileKey(.bytes(0..<32)) }
  #endif

  /// Another file that is opened in the same way.
  func other(_ path: String) -> DatabaseFile {
    var other = self
    other.path = path
    return other
  }
}

/// The key of an open file, which all of its connections share, and which may be changed.
final class FileKey: Sendable {
  private struct State {
    var key: EncryptionKey
    var number = 0
    var isChanging = false
  }

  private let state: Monitor<State>

  init(_ key: EncryptionKey) { state = Monitor(State(key: key)) }

  /// The key, and how often it has been changed.
  var numbered: (key: EncryptionKey, number: Int) { state.change { ($0.key, $0.number) } }

  /// True while the file is encrypted with another key.
  var isChanging: Bool { state.change { $0.isChanging } }

  /// Has the key that `body` returns from here on, unless it throws.
  ///
  /// One thread at a time calls it.
  func change(_ body: () throws -> EncryptionKey) rethrows {
    state.change { $0.isChanging = true }
    defer { state.change { $0.isChanging = false } }
    let key = try body()
    state.change { $0 = State(key: key, number: $0.number + 1, isChanging: true) }
  }

  /// Waits until no change is under way, and returns true if the key has another number.
  ///
  /// A connection that has met another key than its own asks for it.
  func hasChanged(since number: Int) -> Bool {
    state.wait { $0.isChanging ? nil : $0.number != number }
  }
}
