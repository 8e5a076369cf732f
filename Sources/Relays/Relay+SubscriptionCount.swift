extension Relay {
  /// How many subscriptions there are that haven't been cancelled, for inspectors and tests of leaks.
  ///
  /// Another thread may have changed it by the time it is read.
  ///
  /// - Complexity: O(1)
  public var subscriptionCount: Int { core.subscriptionCount }
}

extension StateRelay {
  /// How many subscriptions there are that haven't been cancelled, for inspectors and tests of leaks.
  ///
  /// Another thread may have changed it by the time it is read.
  ///
  /// - Complexity: O(1)
  public var subscriptionCount: Int { core.subscriptionCount }
}
