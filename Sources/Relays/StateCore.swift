public import Locking

/// The core of a relay that has a current value.
///
/// Its gate may be left by anyone, but is moved from 0 under the lock alone while the relay lives:
/// so the order of the values is the order in which they were set.
@usableFromInline final class StateCore<Value: Sendable>: RelayCore<Value>, @unchecked Sendable {
  // @unchecked: what `current` points to is under `lock`, and `modifier` is atomic.

  /// The latest value.
  ///
  /// It outlives the relay, so that a signal of it still gives a first value.
  @usableFromInline let current: UnsafeMutablePointer<Value>

  /// The thread that runs a body under the lock, or 0.
  @usableFromInline let modifier = AtomicWord(0)

  @usableFromInline init(_ value: Value) {
    current = .allocate(capacity: 1)
    current.initialize(to: value)
    // A lock of its own, since bodies run under it.
    super.init(lock: .allocate())
  }

  deinit {
    current.deinitialize(count: 1)
    current.deallocate()
    lock.deallocate()
  }

  /// The latest value.
  @inlinable var value: Value {
    checkIsFree()
    return lock.withLock { current.pointee }
  }

  /// Makes `value` the current one and sends it.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - didChange: Called when the value is set and before it is delivered.
  /// - Returns: the value before.
  @inlinable func exchange(_ value: Value, didChange: () -> Void) -> Value {
    checkIsFree()
    lock.lock()
    // Moved, so that no value is released under the lock.
    let old = current.move()
    current.initialize(to: value)
    let turn = isUnheard ? Turn.elsewhere : takeTurn(value)
    lock.unlock()
    didChange()
    deliver(value, turn)
    // Optimised code may release what the caller drops as soon as it can, and that is under the lock.
    withExtendedLifetime(old) {}
    return old
  }

  /// Changes the value in place and sends it.
  @inlinable func modify<Result, Failure: Error>(
    didChange: () -> Void, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    checkIsFree()
    lock.lock()
    beginModifying()
    // Both values are held until the lock is gone, so that the one that isn't kept is released there.
    let old = current.pointee
    var value = old
    defer { withExtendedLifetime((old, value)) {} }
    let result: Result
    do throws(Failure) {
      result = try body(&value)
    } catch {
      endModifying()
      lock.unlock()
      throw error
    }
    current.pointee = value
    endModifying()
    let turn = isUnheard ? Turn.elsewhere : takeTurn(value)
    lock.unlock()
    didChange()
    deliver(value, turn)
    return result
  }

  /// Whether nobody is subscribed and nobody delivers, so that a value needs no delivery.
  @usableFromInline var isUnheard: Bool {
    gate.load() == 0 && fields.pointee.slots?.isEmpty ?? true
  }

  // MARK: The thread that modifies

  @usableFromInline func beginModifying() { modifier.store(CurrentThread.token) }

  @usableFromInline func endModifying() { modifier.store(0) }

  /// A thread inside a `modify` of this relay holds the lock, and would wait for itself.
  @inlinable override func checkIsFree() {
    let thread = modifier.loadRelaxed()
    if thread != 0 { checkIsElsewhere(thread) }
  }

  @usableFromInline func checkIsElsewhere(_ thread: Int) {
    precondition(
      thread != CurrentThread.token,
      "A StateRelay is used inside its own modify; read and change the value through the parameter")
  }

  // MARK: First values

  override var first: Value? { current.pointee }

  /// Adds `subscription` in its turn, after its first value.
  @usableFromInline override func subscribe(_ subscription: Subscription) -> SubscriptionToken {
    let subscriber = unsafeDowncast(subscription, to: Subscriber<Value>.self)
    let held = Unmanaged<Subscription>.passRetained(subscription)
    checkIsFree()
    lock.lock()
    countSubscription()
    if gate.compareExchange(0, 1) {
      let first = first
      lock.unlock()
      add(subscriber, first: first)
      if !gate.compareExchange(1, 0) { drain() }
    } else {
      let isBehind = leave(adding: held)
      let isMine = gate.exchange(2) == 0
      lock.unlock()
      if isMine {
        drain()
      } else if isBehind {
        stepBack()
      }
    }
    return SubscriptionToken(source: self, subscription: held)
  }
}
