internal import Locking

/// The subscriptions that stand behind an operator's token.
@usableFromInline final class Upstreams: TokenSource, @unchecked Sendable {
  // @unchecked: everything is in `state`.
  private struct State {
    var tokens: [SubscriptionToken] = []
    var isDone = false
  }

  private let state = Locked(State())

  @usableFromInline override init() {}

  /// Adds a subscription, or cancels it if all is over already.
  @usableFromInline func add(_ token: SubscriptionToken) {
    let isDone = state.withLock { state in
      if !state.isDone { state.tokens.append(token) }
      return state.isDone
    }
    if isDone { token.cancel() }
  }

  /// Cancels all, for good.
  ///
  /// - Returns: whether this was the first time.
  @usableFromInline @discardableResult func finish() -> Bool {
    let (tokens, isFirst) = state.withLock { state in
      let tokens = state.tokens
      let isFirst = !state.isDone
      state = State(isDone: true)
      return (tokens, isFirst)
    }
    SubscriptionToken.cancel(tokens)
    return isFirst
  }

  @usableFromInline var isDone: Bool { state.withLock { $0.isDone } }

  override func silence(_ token: SubscriptionToken) {
    for token in state.withLock({ $0.tokens }) { token.source.silence(token) }
  }

  override func cancel(_ token: SubscriptionToken) { finish() }

  override func isActive(_ token: SubscriptionToken) -> Bool {
    state.withLock { $0.tokens }.contains { $0.isActive }
  }
}
