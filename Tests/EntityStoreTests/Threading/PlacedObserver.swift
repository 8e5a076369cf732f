@_spi(Storage) import EntityStore
import Relays
import TestSupport

/// An observer that shows and tells in a place.
final class PlacedObserver: CommitObserver {
  private let listener: VersionListener
  private let entry: ListenerEntry
  private let log: Log<String>
  private let onInstall: @Sendable () -> Void

  /// The versions that were told, in order.
  var told: [String] { log.entries.filter { $0.hasPrefix("tell") } }
  var notes: [String] { log.entries }

  init(
    _ delivery: Delivery, in store: Store, log: Log<String> = Log<String>(),
    onTell: @escaping @Sendable (Int64) -> Void = { _ in },
    onInstall: @escaping @Sendable () -> Void = {}
  ) {
    listener = VersionListener(log, onTell: onTell)
    entry = ListenerEntry(listener, delivery, mergesWhatWaits: false, in: store)
    self.log = log
    self.onInstall = onInstall
  }

  /// Follows every owner from now on, for as long as the result is held.
  func follow(_ store: Store) -> ObserverRegistration {
    store.observe(self) { registration in
      registration.follow([Owner.schema.entity])
      return registration
    }
  }

  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    let version = commit.version
    return PreparedDelivery { [self] in
      onInstall()
      listener.install(version)
      return [entry]
    }
  }
}
