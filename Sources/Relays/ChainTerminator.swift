public import Locking

/// The check of a subscription at the end of a chain of operators.
@usableFromInline final class ChainTerminator: Cancellable, @unchecked Sendable {
  // @unchecked: `live` is atomic, and `upstream` is set once, before any other code has the token.

  /// 1 until the subscription is cancelled; reached only through `live`.
  private var storage: Int32 = 1

  private var upstream: SubscriptionToken?

  @usableFromInline override init() {}

  @inlinable var live: UnsafeAtomicWord {
    UnsafeAtomicWord(
      _getUnsafePointerToStoredProperties(self).assumingMemoryBound(to: Int32.self))
  }

  @inlinable var isLive: Bool { live.loadRelaxed() != 0 }

  /// Returns the token of a subscription to the chain above.
  @usableFromInline func token(of upstream: SubscriptionToken) -> SubscriptionToken {
    self.upstream = upstream
    return SubscriptionToken(source: self)
  }

  override func silence(_ token: SubscriptionToken) {
    _ = live.exchange(0)
    if let upstream { upstream.source.silence(upstream) }
  }

  override func cancel(_ token: SubscriptionToken) {
    _ = live.exchange(0)
    upstream?.cancel()
  }

  override func isActive(_ token: SubscriptionToken) -> Bool { upstream?.isActive ?? false }
}
