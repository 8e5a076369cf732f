extension Relay {
  /// The number of subscriptions that haven't been cancelled, for inspectors and tests for leaks.
  ///
  /// Another thread may have changed it by the time it is read.
  ///
  /// - Complexity: O(1)
  public var subscriptionCount: Int { core.subscriptionCount }
}

extension StateRelay {
  /// The number of subscriptions that haven't been cancelled, for inspectors and tests for leaks.
  ///
  /// Another thread may have changed it by the time it is read.
  ///
  /// - Complexity: O(1)
  public var subscriptionCount: Int { core.subscriptionCount }
}
