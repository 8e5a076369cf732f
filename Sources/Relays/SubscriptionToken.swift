internal import Locking

/// The right to be called: it cancels its subscription when it is cancelled or dropped.
///
///     let token = prices.subscribe { print($0) }
///     token.cancel()
///
/// Once `cancel()` has returned, no callback begins. One whose check another thread had already
/// passed may still run, once; on the thread that delivers, none does. The closure's captures are
/// released before `cancel()` returns or, while a delivery runs, at its end, though the token is
/// still held. Cancelling twice, or from several threads, is fine.
public final class SubscriptionToken: Sendable {
  /// What a token ends.
  ///
  /// Both steps are called once, in this order.
  struct Subscription: Sendable {
    /// Makes the check of the next delivery fail.
    ///
    /// Runs no code of a user's.
    var silence: @Sendable () -> Void
    /// Releases what the subscription holds.
    var release: @Sendable () -> Void
  }

  private struct State {
    var subscription: Subscription?
  }

  private let state: Locked<State>

  init(_ subscription: Subscription?) {
    state = Locked(State(subscription: subscription))
  }

  /// Ends the subscription.
  public func cancel() {
    // Silenced under the lock: a second canceller can't return before the check fails.
    let subscription = state.withLock { state -> Subscription? in
      let subscription = state.subscription
      state.subscription = nil
      subscription?.silence()
      return subscription
    }
    subscription?.release()
  }

  /// Keeps the token in `tokens`, so that it lives as long as they do.
  public func store(in tokens: inout [SubscriptionToken]) {
    tokens.append(self)
  }

  deinit { cancel() }
}
