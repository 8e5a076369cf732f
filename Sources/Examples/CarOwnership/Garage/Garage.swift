import Signalbox

/// Where the cars are kept.
///
/// Scenes pass it on; only their data providers look inside.
final class Garage: Sendable {
  let store: Store

  /// When the last commit was noticed here, be it one's own or somebody else's.
  private let noticed = StateRelay<ContinuousClock.Instant?>(nil)
  private let token: SubscriptionToken

  init(_ backing: StorageKind) throws {
    store = try Store(backing, entities: [CarRecord.self, Person.self, Manufacturer.self])
    store.historyLimit = 100
    token = store.commits.subscribe { [noticed] _ in noticed.value = .now }
  }

  /// When the last commit was noticed here, or nil before the first.
  var committedAt: ContinuousClock.Instant? { noticed.value }
}
