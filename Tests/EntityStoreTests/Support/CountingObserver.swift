@_spi(Storage) import EntityStore
import Relays
import TestSupport

/// An observer that writes down what it is called for, and delivers if it has a store.
final class CountingObserver: CommitObserver {
  private let log = Log<String>()
  private let listener: VersionListener
  private let entry: ListenerEntry?

  var calls: [String] { log.entries }

  init(in store: Store? = nil) {
    let listener = VersionListener(log)
    self.listener = listener
    entry = store.map { ListenerEntry(listener, .immediate, mergesWhatWaits: false, in: $0) }
  }

  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    let version = commit.version
    log.note("prepare \(version)")
    if reader.version != version { log.note("reads \(reader.version)") }
    return PreparedDelivery { [self] in
      log.note("install \(version)")
      guard let entry else { return [] }
      listener.install(version)
      return [entry]
    }
  }
}
