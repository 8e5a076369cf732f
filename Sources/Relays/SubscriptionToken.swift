internal import Locking

/// A token that cancels its subscription when it is cancelled or released.
///
///     let token = prices.subscribe { print($0) }
///     token.cancel()
///
/// After `cancel()` has returned, no callback begins. A callback whose check another thread had
/// already passed may still run, once. On the thread that delivers, none does. The closure's
/// captures are released before `cancel()` returns or, if a delivery is running, at its end, even
/// though the token is still held. Cancelling twice, or from several threads, is fine.
///
/// A ``SubscriptionBag`` keeps many tokens.
public final class SubscriptionToken: @unchecked Sendable {
  // @unchecked: `live` is atomic, and `subscription` is read and written under the source's lock.

  /// 1 until the token is cancelled; reached only through `live`.
  private var storage: Int32 = 1

  let source: Cancellable

  /// The subscription that the source gave, and takes back, also when the source ends.
  ///
  /// It owns one reference. The source reads it under its own lock.
  @exclusivity(unchecked) var subscription: Unmanaged<Subscription>?

  @usableFromInline init(source: Cancellable, subscription: Unmanaged<Subscription>? = nil) {
    self.source = source
    self.subscription = subscription
    // No other thread knows the subscription yet.
    subscription?._withUnsafeGuaranteedRef { $0.fields.pointee.token = .passUnretained(self) }
  }

  /// Cancels the subscription.
  public func cancel() {
    // If another call has finished, there is nothing left to do, and not even a lock to wait for.
    guard live.load() != 0 else { return }
    source.cancel(self)
    live.store(0)
  }

  /// Adds the token to `tokens`, so that it lives as long as they do.
  public func store(in tokens: inout [SubscriptionToken]) {
    tokens.append(self)
  }

  /// Adds the token to `bag`, so that it lives until the bag cancels it or is released.
  public func store(in bag: SubscriptionBag) {
    bag.insert(self)
  }

  /// A word that is 1 until the token is cancelled, read without waiting for the source's lock.
  ///
  /// It becomes 0 at the end of a cancel, so that a second `cancel` doesn't return before the
  /// first.
  var live: UnsafeAtomicWord {
    UnsafeAtomicWord(
      _getUnsafePointerToStoredProperties(self).assumingMemoryBound(to: Int32.self))
  }

  /// True if a value can still come.
  var isActive: Bool { live.load() != 0 && source.isActive(self) }

  deinit { if live.load() != 0 { source.cancel(self) } }
}
