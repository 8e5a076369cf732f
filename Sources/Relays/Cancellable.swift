/// The object that ends a token's subscription: a relay's core, or the object behind an operator.
///
/// An instance of this class itself is the source of a token that has nothing to end.
@usableFromInline class Cancellable: @unchecked Sendable {
  // @unchecked: it holds nothing, and each subclass states what guards its own state.

  /// Makes the check before each later delivery fail.
  ///
  /// It runs no user's code, and may be called any number of times.
  func silence(_ token: SubscriptionToken) {}

  /// Silences the subscription and releases what it holds.
  ///
  /// It may be called any number of times, and from several threads.
  func cancel(_ token: SubscriptionToken) {}

  /// Returns whether a value can still come to a token that hasn't been cancelled; it never waits.
  func isActive(_ token: SubscriptionToken) -> Bool { false }
}
