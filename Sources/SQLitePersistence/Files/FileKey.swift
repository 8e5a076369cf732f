internal import Locking

/// The key of an open file, which all of its connections share, and which may be changed.
final class FileKey: Sendable {
  private struct State {
    var key: EncryptionKey
    var salt: [UInt8]?
    var number = 0
    var isChanging = false
  }

  private let state: Monitor<State>

  init(_ key: EncryptionKey, salt: [UInt8]? = nil) { state = Monitor(State(key: key, salt: salt)) }

  /// The key, and how often it has been changed.
  var numbered: (key: EncryptionKey, number: Int) { state.change { ($0.key, $0.number) } }

  /// The file's salt, if the file itself has lost it.
  var salt: [UInt8]? {
    get { state.change { $0.salt } }
    set { state.change { $0.salt = newValue } }
  }

  /// True while the file is encrypted with another key.
  var isChanging: Bool { state.change { $0.isChanging } }

  /// Has the key that `body` returns from here on, unless it throws.
  ///
  /// One thread at a time calls it.
  func change(_ body: () throws -> EncryptionKey) rethrows {
    state.change { $0.isChanging = true }
    defer { state.change { $0.isChanging = false } }
    let key = try body()
    state.change { $0 = State(key: key, salt: $0.salt, number: $0.number + 1, isChanging: true) }
  }

  /// Waits until no change is under way, and returns true if the key has another number.
  ///
  /// A connection that has met another key than its own asks for it.
  func hasChanged(since number: Int) -> Bool {
    state.wait { $0.isChanging ? nil : $0.number != number }
  }
}
