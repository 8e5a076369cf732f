internal import Relays

extension FetchedDataProvider {
  /// The number of subscriptions to its events and errors, for inspectors and leak tests.
  ///
  /// - Complexity: O(1)
  public var subscriptionCount: Int { relay.subscriptionCount + errorRelay.subscriptionCount }
}
