internal import Relays

extension ListModel {
  /// The number of subscriptions to the model's events and errors, for inspectors and tests of
  /// leaks.
  ///
  /// - Complexity: O(1)
  @_spi(Inspection) public var subscriptionCount: Int { core.signals.subscriptionCount }
}

extension ObservedEntity {
  /// The number of subscriptions to the object's events and errors, for inspectors and tests of
  /// leaks.
  ///
  /// - Complexity: O(1)
  @_spi(Inspection) public var subscriptionCount: Int {
    relay.subscriptionCount + errorRelay.subscriptionCount
  }
}
