import EntityStore
import Locking
import Relays
import TestSupport

/// A listener that notes each version that it shows and delivers.
///
/// Its turns must not be merged: each is of the next version that was installed.
final class VersionListener: CommitListener {
  private struct Versions: Sendable {
    var installed = Fifo<Int64>()
    var shown = Fifo<Int64>()
  }

  private let log: Log<String>
  private let onTell: @Sendable (Int64) -> Void
  private let versions = Locked(Versions())

  init(_ log: Log<String>, onTell: @escaping @Sendable (Int64) -> Void = { _ in }) {
    self.log = log
    self.onTell = onTell
  }

  func install(_ version: Int64) { versions.withLock { $0.installed.append(version) } }

  func show(_ turn: Int) {
    let version = versions.withLock { versions -> Int64? in
      guard let version = versions.installed.popFirst() else { return nil }
      versions.shown.append(version)
      return version
    }
    if let version { log.note("show \(version)") }
  }

  func deliver() {
    guard let version = versions.withLock({ $0.shown.popFirst() }) else { return }
    onTell(version)
    log.note("tell \(version)")
  }
}
