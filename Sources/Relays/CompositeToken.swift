internal import Locking

/// The subscriptions behind an operator's token.
@usableFromInline final class CompositeToken: Cancellable, @unchecked Sendable {
  // @unchecked: everything is in `state`.
  private struct State {
    var tokens: [SubscriptionToken] = []
    var isDone = false
  }

  private let state = Locked(State())

  @usableFromInline override init() {}

  /// Adds a subscription, or cancels it if all have been cancelled already.
  @usableFromInline func add(_ token: SubscriptionToken) {
    let isDone = state.withLock { state in
      if !state.isDone { state.tokens.append(token) }
      return state.isDone
    }
    if isDone { token.cancel() }
  }

  /// Cancels all subscriptions, for good.
  ///
  /// - Returns: true if this was the first time.
  @usableFromInline @discardableResult func finish() -> Bool {
    let (tokens, isFirst) = state.withLock { state in
      let isFirst = !state.isDone
      state.isDone = true
      return (state.tokens, isFirst)
    }
    // The tokens are removed when all are silent. Another `cancel` must not return before that.
    SubscriptionToken.silence(tokens)
    state.withLock { $0.tokens = [] }
    for token in tokens { token.cancel() }
    return isFirst
  }

  @usableFromInline var isDone: Bool { state.withLock { $0.isDone } }

  override func silence(_ token: SubscriptionToken) {
    SubscriptionToken.silence(state.withLock { $0.tokens })
  }

  override func cancel(_ token: SubscriptionToken) { finish() }

  override func isActive(_ token: SubscriptionToken) -> Bool {
    state.withLock { $0.tokens }.contains { $0.isActive }
  }
}
