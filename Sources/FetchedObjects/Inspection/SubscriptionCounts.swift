internal import Relays

extension FetchedObjectsModel {
  /// How many subscriptions to its events and errors there are, for inspectors and tests of leaks.
  ///
  /// - Complexity: O(1)
  public var subscriptionCount: Int {
    willChangeRelay.subscriptionCount + stepsRelay.subscriptionCount
      + didChangeRelay.subscriptionCount + errorRelay.subscriptionCount
  }
}

extension IndexedObjectsModel {
  /// How many subscriptions to its events and errors there are, for inspectors and tests of leaks.
  ///
  /// - Complexity: O(1)
  public var subscriptionCount: Int {
    didChangeRelay.subscriptionCount + errorRelay.subscriptionCount
  }
}

extension ObservedEntity {
  /// How many subscriptions to its events and errors there are, for inspectors and tests of leaks.
  ///
  /// - Complexity: O(1)
  public var subscriptionCount: Int { relay.subscriptionCount + errorRelay.subscriptionCount }
}
