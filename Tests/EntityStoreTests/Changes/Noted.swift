import Locking

/// Keeps what is noted, in order, from any thread.
final class Noted: Sendable {
  private let state = Locked<[String]>([])

  /// What has been noted.
  var notes: [String] { state.withLock { $0 } }

  func note(_ note: String) { state.withLock { $0.append(note) } }
}
