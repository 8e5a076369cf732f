public import Locking

/// What every relay's core is, whatever it passes on: a gate, and the slots behind it.
///
/// The gate says who may touch the slots. It is 0 when nobody delivers, and else the tag of the thread
/// that does; its second bit is set when the backlog isn't empty. Whoever moves it from 0 delivers until
/// the backlog is empty; everyone else leaves an operation in the backlog and goes. So values are
/// serial, in one order for all, without a lock held and without nesting. The design is a combiner
/// (flat combining, Hendler and others, 2010) with one combiner at a time. Only to give or take a
/// slot is the gate held for a moment under the lock; who sends then waits, and delivers itself.
///
/// Nothing here depends on the type of the values, so nothing needs to be specialised for it.
@usableFromInline class RelayGate: Cancellable, @unchecked Sendable {
  // @unchecked: `slots` belongs to whoever moved the gate from 0, and the words are atomic.
  @usableFromInline struct Fields {
    @usableFromInline var gate: Int32 = 0
    /// 1 while cancelled subscriptions wait to be taken out; written under the lock.
    var removals: Int32 = 0
    /// How many subscriptions there are that haven't been cancelled; written under the lock.
    var subscriptions: Int32 = 0
    /// 1 when no value can come any more; written by whoever holds the gate.
    var ended: Int32 = 0
    @usableFromInline let lock: UnsafeLock
    /// Nil until the first subscription.
    @usableFromInline var slots: UnsafeSlots?

    init(lock: UnsafeLock) { self.lock = lock }
  }

  /// Reached through `fields` alone.
  private var storage: Fields

  @usableFromInline init(lock: UnsafeLock) { storage = Fields(lock: lock) }

  deinit {
    guard let slots = fields.pointee.slots else { return }
    for slot in slots.removeAll() { slot.release() }
    slots.deallocate()
  }

  // MARK: Fields

  /// The fields at their address, since an atomic needs one.
  @inlinable final var fields: UnsafeMutablePointer<Fields> {
    _getUnsafePointerToStoredProperties(self).assumingMemoryBound(to: Fields.self)
  }

  /// The words at the head of the fields, in their order.
  @inlinable final var words: UnsafeMutablePointer<Int32> {
    UnsafeMutableRawPointer(fields).assumingMemoryBound(to: Int32.self)
  }

  @inlinable final var gate: UnsafeAtomicWord { UnsafeAtomicWord(words) }

  /// Takes the gate to drain the backlog if it is free, and else marks that something waits there.
  ///
  /// The lock is held.
  @inlinable final func takeOrMark() -> Bool {
    guard gate.or(2) == 0 else { return false }
    gate.store(CurrentThread.tag | 2)
    return true
  }

  /// Whether the calling thread holds the gate.
  @usableFromInline final var isHeldHere: Bool { gate.loadRelaxed() & ~2 == CurrentThread.tag }

  @inlinable final var removals: UnsafeAtomicWord { UnsafeAtomicWord(words + 1) }

  private var subscriptions: UnsafeAtomicWord { UnsafeAtomicWord(words + 2) }

  private var ended: UnsafeAtomicWord { UnsafeAtomicWord(words + 3) }

  @inlinable final var lock: UnsafeLock { fields.pointee.lock }

  /// Whether there is a subscription that hasn't been cancelled.
  ///
  /// A plain count, so that asking runs nobody's code and waits for nothing.
  final var hasSubscribers: Bool { subscriptions.load() > 0 }

  /// How many subscriptions there are that haven't been cancelled.
  final var subscriptionCount: Int { Int(subscriptions.load()) }

  // MARK: What a subclass adds

  /// Traps where the calling thread holds the lock already.
  @usableFromInline func checkIsFree() {}

  /// Leaves a subscription to be added in its turn; the lock is held.
  ///
  /// - Returns: whether the deliverer can't keep up.
  func leave(adding subscription: Unmanaged<Subscription>) -> Bool { false }

  /// Lets a deliverer that can't keep up catch up; the lock isn't held.
  func stepBack() {}

  /// Delivers what a thread in the body of a commit has left, if nobody else has since; the lock isn't held.
  func goOnAfterBody() {}

  /// Leaves a subscription to be taken out as soon as may be, with one reference to release.
  ///
  /// The lock is held.
  func leave(removing subscription: Unmanaged<Subscription>) {}

  // MARK: Subscribing

  /// Adds `subscription` in its turn.
  ///
  /// Never delivers: a thread that comes to subscribe must not become the one that delivers.
  @usableFromInline func subscribe(_ subscription: Subscription) -> SubscriptionToken {
    let subscription = Unmanaged.passRetained(subscription)
    let token = SubscriptionToken(source: self, subscription: subscription)
    lock.lock()
    countSubscription()
    if gate.or(2) == 0 {
      let isLinked = link(subscription)
      gate.store(0)
      lock.unlock()
      // No value can come, so nobody else ends it.
      if !isLinked { subscription._withUnsafeGuaranteedRef { end($0) } }
    } else {
      let isBehind = leave(adding: subscription)
      lock.unlock()
      if isBehind { stepBack() }
    }
    return token
  }

  /// Counts a new subscription; the lock is held.
  final func countSubscription() { subscriptions.store(subscriptions.loadRelaxed() + 1) }

  /// Counts a subscription that is over; the lock is held.
  private func uncountSubscription() { subscriptions.store(subscriptions.loadRelaxed() - 1) }

  /// Gives `subscription` a slot, unless the relay has ended; the caller holds the gate.
  ///
  /// Runs nobody's code.
  @usableFromInline final func link(_ subscription: Unmanaged<Subscription>) -> Bool {
    if ended.loadRelaxed() != 0 { return false }
    let slots = fields.pointee.slots ?? UnsafeSlots(capacity: 3)
    fields.pointee.slots = slots.appending(subscription.retain())
    return true
  }

  /// Takes `subscription` out of its slot, for the caller to release; the caller holds the gate.
  @usableFromInline final func unlink(_ subscription: Unmanaged<Subscription>) -> Unmanaged<
    Subscription
  >? {
    fields.pointee.slots?.remove(subscription)
  }

  /// Ends every subscription, in order; the caller holds the gate.
  @usableFromInline final func endAll() {
    guard ended.exchange(1) == 0 else { return }
    for slot in fields.pointee.slots?.removeAll() ?? [] {
      let subscription = slot.takeRetainedValue()
      end(subscription)
    }
  }

  /// Ends a subscription, which no slot holds; the caller holds the gate.
  ///
  /// Its token may be held for long, and owns a reference: that is given up for it, so that what is
  /// captured goes with the relay.
  @usableFromInline final func end(_ subscription: Subscription) {
    if subscription.isLive { subscription.end() }
    lock.lock()
    let held = subscription.takeFromToken()
    if held != nil { uncountSubscription() }
    lock.unlock()
    // Outside the lock: what is captured may do anything when it is released.
    held?.release()
  }

  // MARK: Cancelling

  override final func silence(_ token: SubscriptionToken) {
    checkIsFree()
    lock.withLock {
      _ = token.subscription?._withUnsafeGuaranteedRef { $0.live.exchange(0) }
    }
  }

  override final func isActive(_ token: SubscriptionToken) -> Bool {
    // Without the lock, since a bag that looks for what has ended must not wait for a `modify`. While
    // something is delivered, a first value may be on its way.
    ended.load() == 0 || gate.load() != 0
  }

  /// Takes the subscription out: now, if nobody delivers, and else at the delivery's end.
  override final func cancel(_ token: SubscriptionToken) {
    checkIsFree()
    lock.lock()
    // Silenced under the lock: a second canceller can't return before the check fails.
    guard let subscription = token.subscription else { return lock.unlock() }
    subscription._withUnsafeGuaranteedRef {
      _ = $0.takeFromToken()
      _ = $0.live.exchange(0)
    }
    uncountSubscription()
    if gate.or(2) == 0 {
      let slot = unlink(subscription)
      gate.store(0)
      lock.unlock()
      // Outside the lock: what is captured may do anything when it is released.
      slot?.release()
      subscription.release()
    } else {
      removals.store(1)
      leave(removing: subscription)
      lock.unlock()
    }
  }
}
