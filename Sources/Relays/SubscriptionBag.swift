internal import Locking

/// Tokens that are kept together and cancelled together.
///
///     let bag = SubscriptionBag()
///     prices.subscribe { print($0) }.store(in: bag)
///     names.subscribe { print($0) }.store(in: bag)
///     bag.cancel()
///
/// Cancelling or releasing a bag first silences all of its subscriptions, and then releases what
/// they hold. So no callback of one subscription runs after another one has been released.
/// Subscriptions that end without being cancelled don't accumulate in the bag. In the body of a
/// ``StateRelay/modify(_:)`` the bag only takes tokens; it releases ended ones at a later addition.
///
/// - Complexity: Adding a token is O(1), amortised.
public final class SubscriptionBag: Sendable {
  private struct State {
    var tokens: [SubscriptionToken] = []
    /// The number of tokens at which the bag looks for ended ones.
    var limit = 16

    /// Removes some of the tokens, which the caller holds as well.
    mutating func remove(_ some: [SubscriptionToken]) {
      let gone = Set(some.map(ObjectIdentifier.init))
      tokens.removeAll { gone.contains(ObjectIdentifier($0)) }
    }
  }

  private let state = Locked(State())

  /// Creates an empty bag.
  public init() {}

  /// Adds `token` to the bag.
  public func insert(_ token: SubscriptionToken) {
    let isFull = state.withLock { state in
      state.tokens.append(token)
      return state.tokens.count > state.limit
    }
    // Releasing a token cancels its subscription. In a `modify` that may be one of the same relay,
    // whose lock this thread holds. So a later call looks for the ended ones.
    if isFull && !RunningModify.isHere { removeEnded() }
  }

  package var count: Int { state.withLock { $0.tokens.count } }

  /// The cost is shared by as many additions as tokens remain.
  ///
  /// The release of a token may wait for another thread's `modify` of its relay, like every cancel.
  private func removeEnded() {
    let all = state.withLock { state in
      state.limit = .max
      return state.tokens
    }
    // The lock isn't held while the tokens are checked or released. Meanwhile the tokens stay in
    // the bag, so that `cancel` finds them.
    let ended = all.filter { !$0.isActive }
    state.withLock { state in
      state.remove(ended)
      state.limit = max(16, 2 * state.tokens.count)
    }
    withExtendedLifetime(all) {}
  }

  /// Cancels all tokens.
  ///
  /// Afterwards, the bag can be used again.
  public func cancel() {
    let tokens = state.withLock { $0.tokens }
    // The tokens are removed when all are silent. Another `cancel` must not return before that.
    SubscriptionToken.silence(tokens)
    state.withLock { $0.remove(tokens) }
    for token in tokens { token.cancel() }
  }

  deinit { cancel() }
}

extension SubscriptionToken {
  /// Makes the check before each later delivery fail, for all of `tokens`.
  static func silence(_ tokens: [SubscriptionToken]) {
    for token in tokens where token.live.load() != 0 { token.source.silence(token) }
  }
}
