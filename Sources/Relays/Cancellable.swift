/// What a token ends a subscription at: a relay's core, or what stands behind an operator.
///
/// This class itself is the source of a token that has nothing to end.
@usableFromInline class Cancellable: @unchecked Sendable {
  // @unchecked: it holds nothing; each subclass says what guards its own.

  /// Makes the check of each later delivery fail.
  ///
  /// Runs no code of a user's. May be called any number of times.
  func silence(_ token: SubscriptionToken) {}

  /// Silences, and releases what the subscription holds.
  ///
  /// May be called any number of times, and from several threads.
  func cancel(_ token: SubscriptionToken) {}

  /// Whether a value can still come to a token that hasn't been cancelled; never waits.
  func isActive(_ token: SubscriptionToken) -> Bool { false }
}
