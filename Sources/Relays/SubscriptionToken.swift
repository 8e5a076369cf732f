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
///
/// A ``SubscriptionBag`` keeps many tokens.
public final class SubscriptionToken: @unchecked Sendable {
  // @unchecked: `live` is atomic, and `subscription` is read and written under the source's lock.

  /// 1 until the token is cancelled; reached through `live` alone.
  private var storage: Int32 = 1

  let source: Cancellable

  /// What the source gave and takes back, also when it ends; it owns one reference and reads it under its
  /// own lock.
  @exclusivity(unchecked) var subscription: Unmanaged<Subscription>?

  @usableFromInline init(source: Cancellable, subscription: Unmanaged<Subscription>? = nil) {
    self.source = source
    self.subscription = subscription
    // Nobody else knows of the subscription yet.
    subscription?._withUnsafeGuaranteedRef { $0.fields.pointee.token = .passUnretained(self) }
  }

  /// Ends the subscription.
  public func cancel() {
    // Another call that has finished has left nothing to do, not even a lock to wait for.
    guard live.load() != 0 else { return }
    source.cancel(self)
    live.store(0)
  }

  /// Keeps the token in `tokens`, so that it lives as long as they do.
  public func store(in tokens: inout [SubscriptionToken]) {
    tokens.append(self)
  }

  /// Keeps the token in `bag`, so that it lives until the bag cancels it or is dropped.
  public func store(in bag: SubscriptionBag) {
    bag.insert(self)
  }

  /// Whether the token hasn't been cancelled, for those who don't want to wait for the source's lock.
  ///
  /// It becomes 0 at the end of a cancel, so that a second canceller doesn't return before.
  var live: UnsafeAtomicWord {
    UnsafeAtomicWord(
      _getUnsafePointerToStoredProperties(self).assumingMemoryBound(to: Int32.self))
  }

  /// Whether a value can still come.
  var isActive: Bool { live.load() != 0 && source.isActive(self) }

  deinit { if live.load() != 0 { source.cancel(self) } }
}
