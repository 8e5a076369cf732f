public import Locking

/// A core that delivers a first value to each new subscriber, if it has one.
@usableFromInline class FirstValueCore<Value: Sendable>: RelayCore<Value>, @unchecked Sendable {
  // @unchecked: the superclass is, and this class adds nothing.

  @usableFromInline override init(lock: UnsafeLock) { super.init(lock: lock) }

  /// Adds `subscription` when its turn comes, after its first value.
  @usableFromInline override func subscribe(_ subscription: Subscription) -> SubscriptionToken {
    let subscriber = unsafeDowncast(subscription, to: Subscriber<Value>.self)
    let held = Unmanaged<Subscription>.passRetained(subscription)
    let token = SubscriptionToken(source: self, subscription: held)
    checkIsFree()
    lock.lock()
    countSubscription()
    let thread = CurrentThread.tag
    if gate.compareExchange(0, thread) {
      let first = first
      lock.unlock()
      add(subscriber, first: first)
      if !gate.compareExchange(thread, 0) { drain() }
    } else {
      let isBehind = leave(adding: held)
      let isMine = takeOrMark() || takeLeft()
      if isMine { noteOwn() }
      lock.unlock()
      if isMine {
        drain()
      } else if isBehind {
        stepBack()
      }
    }
    return token
  }
}
