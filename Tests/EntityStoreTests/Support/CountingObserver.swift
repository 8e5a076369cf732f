@_spi(Storage) import EntityStore
import Locking

/// An observer that writes down what it is called for.
final class CountingObserver: CommitObserver {
  private let log = Locked<[String]>([])

  var calls: [String] { log.withLock { $0 } }

  private func note(_ call: String) { log.withLock { $0.append(call) } }

  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    let version = commit.version
    note("prepare \(version)")
    if reader.version != version { note("reads \(reader.version)") }
    return PreparedDelivery(
      queue: nil, install: { [self] in note("install \(version)") },
      show: { [self] in note("show \(version)") }, deliver: { [self] in note("tell \(version)") })
  }
}
