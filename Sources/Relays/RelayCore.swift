public import Locking

/// What a relay and its signals and tokens share: the slots, and the queue of what waits.
///
/// The gate says who may touch the slots. It is 0 when nobody delivers, 1 while someone does, and 2
/// while someone does and the queue isn't empty. Whoever moves it from 0 delivers until the queue
/// is empty; everyone else leaves an operation in the queue and goes. So values are serial, in one
/// order for all, without a lock held and without nesting. The design is a combiner (flat
/// combining, Hendler and others, 2010) with one combiner at a time. Only to give or take a slot is
/// the gate held for a moment under the queue's lock; who sends then waits, and delivers itself.
@usableFromInline final class RelayCore<Value: Sendable>: @unchecked Sendable {
  // @unchecked: `slots` belongs to whoever moved `gate` from 0; the rest is under `queue`.
  @usableFromInline typealias Slot = Unmanaged<Subscriber<Value>>?

  enum Operation {
    case send(Value)
    /// Adds a subscriber, after giving it `first` if there is one.
    case add(Subscriber<Value>, first: Value?)
    case end
  }

  struct Queue {
    var operations = Fifo<Operation>()
    /// Cancelled subscribers; they go first, so that their captures don't outlive the delivery.
    var removals: [Subscriber<Value>] = []
    /// The latest value, for a relay that has one.
    var current: Value?
  }

  @usableFromInline struct Slots {
    @usableFromInline var memory: UnsafeMutablePointer<Slot>
    @usableFromInline var count = 0
    var capacity: Int
    var empty = 0
    var isEnded = false
  }

  @usableFromInline let gate = AtomicWord(0)
  @usableFromInline let slots: UnsafeMutablePointer<Slots>
  let queue: Locked<Queue>
  /// The thread that runs a body under the lock of `queue`, or 0.
  let modifier = AtomicWord(0)
  /// How many subscribers wait to be taken out; written under the lock of `queue`.
  private let cancelled = AtomicWord(0)
  /// How many subscriptions there are.
  private let subscriptions = AtomicWord(0)

  init(current: Value? = nil) {
    slots = .allocate(capacity: 1)
    slots.initialize(to: Slots(memory: .allocate(capacity: 2), capacity: 2))
    queue = Locked(Queue(current: current))
  }

  deinit {
    for index in 0..<slots.pointee.count { slots.pointee.memory[index]?.release() }
    slots.pointee.memory.deallocate()
    slots.deinitialize(count: 1)
    slots.deallocate()
  }

  // MARK: Sending

  @inlinable func send(_ value: Value) {
    guard gate.compareExchange(0, 1) else { return _post(value) }
    _deliver(value)
    if !gate.compareExchange(1, 0) { _drain() }
  }

  /// Calls everyone who is subscribed; the caller holds the gate.
  @inlinable func _deliver(_ value: Value) {
    // Both are read once: a subscription or a cancel made meanwhile waits in the queue.
    let memory = slots.pointee.memory
    let count = slots.pointee.count
    var index = 0
    while index < count {
      if let slot = memory[index] {
        slot._withUnsafeGuaranteedRef { if $0.isLive { $0.receive(value) } }
      }
      index &+= 1
    }
  }

  @usableFromInline func _post(_ value: Value) {
    perform(.send(value))
  }

  /// Carries out `operation` now, or leaves it to whoever delivers.
  func perform(_ operation: Operation) {
    post { $0.operations.append(operation) }
  }

  /// Leaves something in the queue, and sees to it if nobody else does.
  private func post(_ leave: (inout Queue) -> Void) {
    checkNotModifying()
    let isMine = queue.withLock { queue in
      leave(&queue)
      return gate.exchange(2) == 0
    }
    if isMine { _drain() }
  }

  /// A thread inside a `modify` of this relay holds the lock, and would wait for itself.
  func checkNotModifying() {
    let thread = modifier.load()
    precondition(
      thread == 0 || thread != CurrentThread.token,
      "A StateRelay is used inside its own modify; read and change the value through the parameter")
  }

  /// Carries out what waits until nothing does; the caller holds the gate.
  ///
  /// All that waits is taken at once: a thread that delivers while others go on sending must outrun
  /// them, or it would deliver for them without end.
  @usableFromInline func _drain() {
    while true {
      guard var operations = takeOperations() else { return }
      removeCancelled()
      while let operation = operations.popFirst() {
        carryOut(operation)
        removeCancelled()
      }
    }
  }

  /// Takes what waits, or gives the gate back if nothing does.
  private func takeOperations() -> Fifo<Operation>? {
    queue.withLock { queue in
      if queue.operations.isEmpty && queue.removals.isEmpty {
        gate.store(0)
        return nil
      }
      let operations = queue.operations
      queue.operations = Fifo()
      return operations
    }
  }

  /// Carries out `operation` and releases it, outside the lock and before the next is begun.
  private func carryOut(_ operation: consuming Operation) {
    switch consume operation {
    case .send(let value): _deliver(value)
    case .add(let subscriber, let first): add(subscriber, first: first)
    case .end: endAll()
    }
  }

  /// Takes cancelled subscribers out and releases them, outside the lock.
  private func removeCancelled() {
    guard cancelled.load() > 0 else { return }
    let removals = queue.withLock { queue in
      let removals = queue.removals
      queue.removals = []
      cancelled.store(0)
      return removals
    }
    for subscriber in removals { unlink(subscriber)?.release() }
  }

  // MARK: Subscribing

  /// What became of a new subscriber.
  private enum Outcome {
    /// It has a slot.
    case linked
    /// The relay has ended.
    case ended
    /// It waits in the queue, for this thread or for the one that delivers.
    case mine
    case queued
  }

  /// Adds `subscriber` in its turn, first giving it the current value if the relay has one.
  func subscribe(_ subscriber: Subscriber<Value>) -> SubscriptionToken {
    subscriptions.add(1)
    checkNotModifying()
    let outcome = queue.withLock { queue -> Outcome in
      let isIdle = gate.exchange(2) == 0
      if isIdle && queue.current == nil {
        // Only pointers move, so it is done here and now: a thread that subscribes must not become
        // the one that delivers. Whoever sends meanwhile waits for the lock and delivers itself.
        let isLinked = link(subscriber)
        gate.store(0)
        return isLinked ? .linked : .ended
      }
      queue.operations.append(.add(subscriber, first: queue.current))
      return isIdle ? .mine : .queued
    }
    switch outcome {
    case .mine: _drain()
    case .ended: subscriber.end?()
    case .linked, .queued: break
    }
    return SubscriptionToken(
      .init(silence: { subscriber.silence() }, release: { [self] in remove(subscriber) }))
  }

  /// Takes a cancelled subscriber out: now, if nobody delivers, and else at the delivery's end.
  private func remove(_ subscriber: Subscriber<Value>) {
    subscriptions.add(-1)
    checkNotModifying()
    let removed = queue.withLock { queue -> Slot in
      if gate.exchange(2) == 0 {
        let slot = unlink(subscriber)
        gate.store(0)
        return slot
      }
      queue.removals.append(subscriber)
      cancelled.store(queue.removals.count)
      return nil
    }
    removed?.release()
  }

  /// Whether there is a subscription that hasn't been cancelled.
  ///
  /// A plain count, so that asking runs nobody's code and waits for nothing.
  var hasSubscribers: Bool { subscriptions.load() > 0 }
}
