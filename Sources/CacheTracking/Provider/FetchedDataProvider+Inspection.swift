internal import Relays

extension FetchedDataProvider {
  /// How many subscriptions to its events and errors there are, for inspectors and tests of leaks.
  ///
  /// - Complexity: O(1)
  public var subscriptionCount: Int { relay.subscriptionCount + errorRelay.subscriptionCount }
}
