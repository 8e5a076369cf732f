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
    // The lock isn't held while the tokens are asked, nor when they are released.
    let all = state.withLock { state in
      let tokens = state.tokens
      state.tokens = []
      state.limit = .max
      return tokens
    }
    let active = all.filter(\.isActive)
    state.withLock { state in
      state.tokens.insert(contentsOf: active, at: 0)
      state.limit = max(16, 2 * state.tokens.count)
    }
  }

  /// Cancels all tokens.
  ///
  /// The bag can be used again.
  public func cancel() {
    let tokens = state.withLock { state in
      let tokens = state.tokens
      state.tokens = []
      return tokens
    }
    SubscriptionToken.cancel(tokens)
  }

  deinit { cancel() }
}

extension SubscriptionToken {
  /// Silences all of `tokens` before any of them releases what it holds.
  static func cancel(_ tokens: [SubscriptionToken]) {
    for token in tokens { token.source.silence(token) }
    for token in tokens { token.source.cancel(token) }
  }
}
