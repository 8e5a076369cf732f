public import Locking

/// The base of every relay's core, whatever it passes on: a gate, and the slots behind it.
///
/// The gate determines which thread may touch the slots. It is 0 when nobody delivers. Otherwise it
/// is the tag of the thread that delivers; its second bit is set when the backlog isn't empty. The
/// thread that moves the gate from 0 delivers until the backlog is empty. Every other thread leaves
/// an operation in the backlog and returns. So values are serial, in one order for all subscribers,
/// without a lock held and without nesting. The design is a combiner (flat combining, Hendler and
/// others, 2010) with one combiner at a time. There is one exception: to give or take a slot, the
/// gate is held for a moment under the lock. A thread that sends meanwhile waits, and then delivers
/// its value itself.
///
/// Nothing here depends on the type of the values, so nothing needs to be specialised for it.
@usableFromInline class RelayGate: Cancellable, @unchecked Sendable {
  // @unchecked: `slots` belongs to the thread that moved the gate from 0, and the words are atomic.
  @usableFromInline struct Fields {
    @usableFromInline var gate: Int32 = 0
    /// 1 while cancelled subscriptions wait to be removed; written under the lock.
    var removals: Int32 = 0
    /// The number of subscriptions that haven't been cancelled; written under the lock.
    var subscriptions: Int32 = 0
    /// 1 when no value can come any more; written by the thread that holds the gate.
    var ended: Int32 = 0
    @usableFromInline let lock: UnsafeLock
    /// The slots, or nil until the first subscription.
    @usableFromInline var slots: UnsafeSlots?

    init(lock: UnsafeLock) { self.lock = lock }
  }

  /// The fields; all code reaches them through `fields`.
  private var storage: Fields

  @usableFromInline init(lock: UnsafeLock) { storage = Fields(lock: lock) }

  deinit {
    guard let slots = fields.pointee.slots else { return }
    for slot in slots.removeAll() { slot.release() }
    slots.deallocate()
  }

  // MARK: Fields

  /// The address of the fields, because an atomic word needs one.
  @inlinable final var fields: UnsafeMutablePointer<Fields> {
    _getUnsafePointerToStoredProperties(self).assumingMemoryBound(to: Fields.self)
  }

  /// The words at the beginning of the fields, in their order.
  @inlinable final var words: UnsafeMutablePointer<Int32> {
    UnsafeMutableRawPointer(fields).assumingMemoryBound(to: Int32.self)
  }

  @inlinable final var gate: UnsafeAtomicWord { UnsafeAtomicWord(words) }

  /// Takes the gate to drain the backlog if it is free, and otherwise marks that an operation
  /// waits.
  ///
  /// The lock is held.
  @inlinable final func takeOrMark() -> Bool {
    guard gate.or(2) == 0 else { return false }
    gate.store(CurrentThread.tag | 2)
    return true
  }

  /// True if the calling thread holds the gate.
  @usableFromInline final var isHeldHere: Bool { gate.loadRelaxed() & ~2 == CurrentThread.tag }

  @inlinable final var removals: UnsafeAtomicWord { UnsafeAtomicWord(words + 1) }

  private var subscriptions: UnsafeAtomicWord { UnsafeAtomicWord(words + 2) }

  private var ended: UnsafeAtomicWord { UnsafeAtomicWord(words + 3) }

  /// True if the relay has ended; the caller holds the gate.
  final var hasEnded: Bool { ended.loadRelaxed() != 0 }

  @inlinable final var lock: UnsafeLock { fields.pointee.lock }

  /// True if there is a subscription that hasn't been cancelled.
  ///
  /// It is a plain count, so reading it runs no user's code and waits for nothing.
  final var hasSubscribers: Bool { subscriptions.load() > 0 }

  final var subscriptionCount: Int { Int(subscriptions.load()) }

  // MARK: For subclasses

  /// Traps if the calling thread already holds the lock.
  @usableFromInline func checkIsFree() {}

  /// Leaves a subscription to be added when its turn comes; the lock is held.
  ///
  /// - Returns: true if the thread that delivers can't keep up.
  func leave(adding subscription: Unmanaged<Subscription>) -> Bool { false }

  /// Lets the thread that delivers catch up if it can't keep up; the lock isn't held.
  func stepBack() {}

  /// True if no thread has the gate, because one in the body of a commit has left the rest.
  ///
  /// The lock is held. The gate isn't 0, and is taken only under the lock.
  var isLeft: Bool { false }

  /// Delivers what a thread in the body of a commit has left, unless another thread already has.
  ///
  /// The lock isn't held.
  func goOnAfterBody() {}

  /// Leaves a subscription to be removed as soon as possible, with one reference to release.
  ///
  /// The lock is held.
  func leave(removing subscription: Unmanaged<Subscription>) {}

  // MARK: Subscribing

  /// Adds `subscription` when its turn comes.
  ///
  /// It never delivers: a thread that comes to subscribe must not become the one that delivers.
  @usableFromInline func subscribe(_ subscription: Subscription) -> SubscriptionToken {
    let subscription = Unmanaged.passRetained(subscription)
    let token = SubscriptionToken(source: self, subscription: subscription)
    lock.lock()
    countSubscription()
    if gate.or(2) == 0 {
      let isLinked = link(subscription)
      gate.store(0)
      lock.unlock()
      // No value can come, so no other thread ends the subscription.
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

  /// Subtracts an ended subscription from the count; the lock is held.
  private func uncountSubscription() { subscriptions.store(subscriptions.loadRelaxed() - 1) }

  /// Gives `subscription` a slot, unless the relay has ended; the caller holds the gate.
  ///
  /// It runs no user's code.
  @usableFromInline final func link(_ subscription: Unmanaged<Subscription>) -> Bool {
    if hasEnded { return false }
    let slots = fields.pointee.slots ?? UnsafeSlots(capacity: 3)
    fields.pointee.slots = slots.appending(subscription.retain())
    return true
  }

  /// Removes `subscription` from its slot, for the caller to release; the caller holds the gate.
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

  /// Ends a subscription that no slot holds; the caller holds the gate.
  ///
  /// Its token may be kept for long, and owns a reference. That reference is taken from the token,
  /// so that the captures are released with the relay.
  @usableFromInline final func end(_ subscription: Subscription) {
    if subscription.isLive { subscription.end() }
    lock.lock()
    let held = subscription.takeFromToken()
    if held != nil { uncountSubscription() }
    lock.unlock()
    // This is outside the lock, because releasing the captures may run any code.
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
    // This doesn't take the lock, because a bag that looks for ended subscriptions must not wait
    // for a `modify`. While a delivery runs, a first value may be on its way.
    ended.load() == 0 || gate.load() != 0
  }

  /// Removes the subscription: now if nobody delivers, and otherwise at the delivery's end.
  override final func cancel(_ token: SubscriptionToken) {
    checkIsFree()
    lock.lock()
    // It is silenced under the lock, so that a second `cancel` can't return before the check fails.
    guard let subscription = token.subscription else { return lock.unlock() }
    subscription._withUnsafeGuaranteedRef {
      _ = $0.takeFromToken()
      _ = $0.live.exchange(0)
    }
    uncountSubscription()
    let isFree = gate.or(2) == 0
    guard isFree || isLeft else {
      removals.store(1)
      leave(removing: subscription)
      return lock.unlock()
    }
    let slot = unlink(subscription)
    if isFree { gate.store(0) }
    lock.unlock()
    // This is outside the lock, because releasing the captures may run any code.
    slot?.release()
    subscription.release()
  }
}
