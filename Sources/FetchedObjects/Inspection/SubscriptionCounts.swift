internal import Relays

extension FetchedObjectsModel {
  /// The number of subscriptions to the model's events and errors, for inspectors and tests of
  /// leaks.
  ///
  /// - Complexity: O(1)
  public var subscriptionCount: Int {
    willChangeRelay.subscriptionCount + stepsRelay.subscriptionCount
      + didChangeRelay.subscriptionCount + errorRelay.subscriptionCount
  }
}

extension IndexedObjectsModel {
  /// The number of subscriptions to the model's events and errors, for inspectors and tests of
  /// leaks.
  ///
  /// - Complexity: O(1)
  public var subscriptionCount: Int {
    didChangeRelay.subscriptionCount + errorRelay.subscriptionCount
  }
}

extension ObservedEntity {
  /// The number of subscriptions to the object's events and errors, for inspectors and tests of
  /// leaks.
  ///
  /// - Complexity: O(1)
  public var subscriptionCount: Int { relay.subscriptionCount + errorRelay.subscriptionCount }
}
