internal import Locking

/// Tokens that are kept together and dropped together.
///
///     let bag = SubscriptionBag()
///     prices.subscribe { print($0) }.store(in: bag)
///     names.subscribe { print($0) }.store(in: bag)
///     bag.cancel()
///
/// Cancelling a bag, or dropping it, first silences all of its subscriptions and then releases
/// what they hold, so that no callback of one runs when another has gone. Subscriptions that have
/// ended by themselves don't pile up in it.
///
/// - Complexity: Adding a token is O(1), amortised.
public final class SubscriptionBag: Sendable {
  private struct State {
    var tokens: [SubscriptionToken] = []
    /// How many tokens there may be before those that have ended are looked for.
    var limit = 16

    /// Takes out some of the tokens, which someone else holds as well.
    mutating func remove(_ some: [SubscriptionToken]) {
      let gone = Set(some.map(ObjectIdentifier.init))
      tokens.removeAll { gone.contains(ObjectIdentifier($0)) }
    }
  }

  private let state = Locked(State())

  /// An empty bag.
  public init() {}

  /// Keeps `token`.
  public func insert(_ token: SubscriptionToken) {
    let isFull = state.withLock { state in
      state.tokens.append(token)
      return state.tokens.count > state.limit
    }
    if isFull { removeEnded() }
  }

  /// How many tokens are kept.
  package var count: Int { state.withLock { $0.tokens.count } }

  /// Takes out what has ended, so that the cost is shared by as many additions as tokens stay.
  private func removeEnded() {
    let all = state.withLock { state in
      state.limit = .max
      return state.tokens
    }
    // The lock isn't held while the tokens are asked, nor when they are released; and they stay where
    // they are meanwhile, for a cancel to find.
    let ended = all.filter { !$0.isActive }
    state.withLock { state in
      state.remove(ended)
      state.limit = max(16, 2 * state.tokens.count)
    }
    withExtendedLifetime(all) {}
  }

  /// Cancels all tokens.
  ///
  /// The bag can be used again.
  public func cancel() {
    let tokens = state.withLock { $0.tokens }
    // They are taken out when all are silent: another cancel must not return before.
    SubscriptionToken.silence(tokens)
    state.withLock { $0.remove(tokens) }
    for token in tokens { token.cancel() }
  }

  deinit { cancel() }
}

extension SubscriptionToken {
  /// Makes the check of each later delivery fail, for all of `tokens`.
  static func silence(_ tokens: [SubscriptionToken]) {
    for token in tokens where token.live.load() != 0 { token.source.silence(token) }
  }
}
