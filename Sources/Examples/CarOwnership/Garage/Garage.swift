import Signalbox

/// A garage, which holds the store of the cars.
///
/// Scenes pass it on. Only their data providers use its store.
final class Garage: Sendable {
  let store: Store

  /// The time when the last commit was received here, whether local or external.
  private let noticed = StateRelay<ContinuousClock.Instant?>(nil)
  private let token: SubscriptionToken

  init(_ backing: StorageKind) throws {
    store = try Store(backing, entities: [CarRecord.self, Person.self, Manufacturer.self])
    store.historyLimit = 100
    token = store.commits.subscribe { [noticed] _ in noticed.value = .now }
  }

  /// Opens the garage in an SQLite file, which is created if there is none.
  convenience init(path: String) throws { try self.init(.sqlite(path: path)) }

  /// The time when the last commit was received here, or nil before the first one.
  var committedAt: ContinuousClock.Instant? { noticed.value }
}
