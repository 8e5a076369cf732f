internal import EntityStore
internal import Relays

extension Store {
  /// Calls `body` on the main actor after each commit, until the token is released.
  @MainActor func afterEachCommit(_ body: @escaping @MainActor () -> Void) -> SubscriptionToken {
    commits.subscribe(on: .mainActor) { _ in body() }
  }
}
