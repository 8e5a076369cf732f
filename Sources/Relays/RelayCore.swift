public import Locking

/// The part that a relay shares with its signals and tokens: the gate and the backlog.
///
/// The backlog contains the operations that wait for the gate.
@usableFromInline class RelayCore<Value: Sendable>: RelayGate, @unchecked Sendable {
  // @unchecked: `backlog` is under `lock`.
  @usableFromInline enum Operation {
    case send(Value)
    /// Adds a subscriber, and delivers `first` to it before, if there is a first value.
    case add(Subscriber<Value>, first: Value?)
    case end
  }

  @usableFromInline struct Backlog {
    @usableFromInline var operations = Fifo<Operation>()
    /// The number of operations at the front that come from the thread that delivers, or that call
    /// no callback.
    ///
    /// It matters while that thread is in the body of a commit.
    @usableFromInline var ownCount = 0
    /// True if no thread has the gate, because one in such a body has left the rest to the next
    /// one.
    var isLeft = false
    /// Cancelled subscriptions; they come first, so that their captures don't outlive the delivery.
    @usableFromInline var removals: [Unmanaged<Subscription>] = []
    @usableFromInline var handoff = DrainHandoff()

    @inlinable init() {}
  }

  /// The backlog, or nil in most relays: it is made when an operation has to wait for the first
  /// time.
  @exclusivity(unchecked) @usableFromInline final var backlogIfAny: UnsafeMutablePointer<Backlog>?

  /// Creates a core whose lock is shared with others.
  @usableFromInline convenience init() { self.init(lock: .shared()) }

  @usableFromInline override init(lock: UnsafeLock) { super.init(lock: lock) }

  deinit {
    guard let backlog = backlogIfAny else { return }
    for subscription in backlog.pointee.removals { subscription.release() }
    backlog.deinitialize(count: 1)
    backlog.deallocate()
  }

  /// The backlog, which is made if it is missing; the caller holds the lock.
  @inlinable final var backlog: UnsafeMutablePointer<Backlog> {
    if let backlog = backlogIfAny { return backlog }
    let backlog = UnsafeMutablePointer<Backlog>.allocate(capacity: 1)
    backlog.initialize(to: Backlog())
    backlogIfAny = backlog
    return backlog
  }

  // MARK: Sending

  @inlinable final func send(_ value: Value) {
    let thread = CurrentThread.tag
    guard gate.compareExchange(0, thread) else { return post(value) }
    deliver(value)
    if !gate.compareExchange(thread, 0) { drain() }
  }

  /// Calls all current subscribers; the caller holds the gate.
  @inlinable final func deliver(_ value: Value) {
    guard let slots = fields.pointee.slots else { return }
    // Both are read once. A subscription or a cancel that is made meanwhile waits in the backlog.
    let memory = slots.memory
    let count = slots.count
    var index = 0
    while index < count {
      if let slot = memory[index] {
        Unmanaged<Subscriber<Value>>.fromOpaque(slot.toOpaque())._withUnsafeGuaranteedRef {
          if $0.isLive { $0.receive(value) }
        }
      }
      index &+= 1
    }
  }

  @inlinable final func post(_ value: Value) {
    checkIsFree()
    deliver(value, lock.withLock { leave(sending: value) })
  }

  /// Sends the value that `decide` returns, in the order of the decisions.
  ///
  /// `decide` runs under the lock, so it must run no user's code. It hands out a value that it
  /// replaces instead of releasing it.
  @inlinable final func send(deciding decide: () -> Value?) {
    lock.lock()
    guard let value = decide() else { return lock.unlock() }
    let turn = takeTurn(value)
    lock.unlock()
    deliver(value, turn)
  }

  /// The thread that delivers a value.
  @usableFromInline enum Turn {
    /// The caller, which holds the gate.
    case here
    /// The caller, which holds the gate and drains the backlog with the value in it.
    case draining
    /// The thread that already delivers.
    case elsewhere
    /// The same, but it can't keep up, or wants the caller to take over.
    case behind
  }

  /// Gives `value` its position in the order; the lock is held.
  @inlinable final func takeTurn(_ value: Value) -> Turn {
    if gate.compareExchange(0, CurrentThread.tag) { return .here }
    return leave(sending: value)
  }

  /// Leaves `value` to the thread that delivers; the lock is held.
  @inlinable final func leave(sending value: Value) -> Turn {
    let backlog = backlog
    backlog.pointee.operations.append(.send(value))
    if takeOrMark() || takeLeft() {
      noteOwn()
      return .draining
    }
    if isHeldHere { noteOwn() }
    return backlog.pointee.handoff.isBehind(backlog.pointee.operations.count) ? .behind : .elsewhere
  }

  /// Counts the last operation in `ownCount` if all before it are counted; the lock is held.
  @usableFromInline final func noteOwn() {
    if backlog.pointee.ownCount == backlog.pointee.operations.count - 1 {
      backlog.pointee.ownCount += 1
    }
  }

  /// Delivers `value` if the caller has to; the lock isn't held.
  @inlinable final func deliver(_ value: Value, _ turn: Turn) {
    switch turn {
    case .here:
      deliver(value)
      if !gate.compareExchange(CurrentThread.tag, 0) { drain() }
    case .draining: drain()
    case .elsewhere: break
    case .behind: waitForRoom()
    }
  }

  /// Lets the thread that delivers catch up, or takes over from it.
  ///
  /// A callback never waits, because it would wait for its own thread. The body of a commit doesn't
  /// wait either: the callback that is running may be waiting for the body to end.
  @usableFromInline final func waitForRoom(mayDeliver: Bool = true) {
    guard !isHeldHere, DeferredDeliveries.current == nil else { return }
    let isMine = DrainHandoff.wait(mayDeliver: mayDeliver) { access in
      lock.withLock {
        access(&backlog.pointee.handoff, isHeldHere ? 0 : backlog.pointee.operations.count)
      }
    }
    guard isMine else { return }
    gate.store(CurrentThread.tag | 2)
    drain()
  }

  /// Ends the relay after the values that wait; no value will be sent any more.
  @inlinable final func end() {
    let thread = CurrentThread.tag
    if gate.compareExchange(0, thread) {
      carryOut(.end)
      if !gate.compareExchange(thread, 0) { drain() }
      return
    }
    let isMine = lock.withLock {
      backlog.pointee.operations.append(.end)
      return takeOrMark() || takeLeft()
    }
    if isMine { drain() }
  }

  // MARK: The backlog

  /// The value that a new subscriber receives at once, if the relay has one; the lock is held.
  var first: Value? { nil }

  override final func leave(adding subscription: Unmanaged<Subscription>) -> Bool {
    let first = first
    subscription._withUnsafeGuaranteedRef {
      let subscriber = unsafeDowncast($0, to: Subscriber<Value>.self)
      backlog.pointee.operations.append(.add(subscriber, first: first))
    }
    // Without a first value, a subscription of another thread calls no callback.
    if isHeldHere || first == nil { noteOwn() }
    return backlog.pointee.handoff.isBehind(backlog.pointee.operations.count)
  }

  override final func stepBack() { waitForRoom(mayDeliver: false) }

  override final func leave(removing subscription: Unmanaged<Subscription>) {
    backlog.pointee.removals.append(subscription)
  }

  /// Subscribes `receive`, and `end`, which is called when no value can come any more.
  @inlinable final func attach(
    _ receive: @escaping @Sendable (Value) -> Void, _ end: (@Sendable () -> Void)?
  ) -> SubscriptionToken {
    if let end { return subscribe(EndingSubscriber(receive: receive, onEnd: end)) }
    return subscribe(Subscriber(receive: receive))
  }

  /// The number of operations that wait for the thread that delivers.
  ///
  /// It includes those that the thread had in hand at its last check.
  package final var waitingCount: Int {
    lock.withLock {
      guard let backlog = backlogIfAny else { return 0 }
      return backlog.pointee.operations.count + backlog.pointee.handoff.inHand
    }
  }

  /// Carries out the waiting operations until none is left; the caller holds the gate.
  ///
  /// It takes all of them at once, and the threads that wait for room continue meanwhile. After a
  /// while, it gives the gate to one of those threads.
  @inlinable final func drain() {
    var shift = DrainHandoff.Shift()
    while var operations = takeOperations(shift) {
      removeCancelled()
      while let operation = operations.popFirst() {
        carryOut(operation)
        removeCancelled()
        shift.count += 1
        if shift.count >= shift.nextLook && handOver(&operations, &shift) { return }
      }
    }
  }

  /// Gives the gate and the operations to a thread that waits, if it is time for that.
  @usableFromInline final func handOver(
    _ operations: inout Fifo<Operation>, _ shift: inout DrainHandoff.Shift
  ) -> Bool {
    shift.prepare()
    var waiters: [DrainHandoff.Waiter] = []
    let successor = lock.withLock { () -> DrainHandoff.Waiter? in
      guard let successor = backlog.pointee.handoff.look(&shift) else {
        backlog.pointee.handoff.hold(operations.count)
        waiters = backlog.pointee.handoff.takeWaiters(beside: backlog.pointee.operations.count)
        return nil
      }
      backlog.pointee.handoff.hold(0)
      // These operations came before those that wait.
      while let later = backlog.pointee.operations.popFirst() { operations.append(later) }
      swap(&operations, &backlog.pointee.operations)
      backlog.pointee.ownCount = 0
      gate.store(2)
      return successor
    }
    DrainHandoff.goOn(waiters)
    successor?.takeOver()
    return successor != nil
  }

  /// Takes the waiting operations, or gives up the gate if there are none or another thread takes
  /// over.
  @inlinable final func takeOperations(_ shift: DrainHandoff.Shift) -> Fifo<Operation>? {
    lock.lock()
    backlogIfAny?.pointee.handoff.hold(0)
    guard let backlog = backlogIfAny,
      !backlog.pointee.operations.isEmpty || !backlog.pointee.removals.isEmpty
    else {
      backlogIfAny?.pointee.handoff.stopAsking()
      let waiters = backlogIfAny?.pointee.handoff.takeWaiters() ?? []
      gate.store(0)
      lock.unlock()
      if !waiters.isEmpty { DrainHandoff.goOn(waiters) }
      return nil
    }
    if isInBody { return takeOwnOperations() }
    backlog.pointee.ownCount = 0
    if let successor = backlog.pointee.handoff.relieve(shift) {
      gate.store(2)
      lock.unlock()
      successor.takeOver()
      return nil
    }
    var operations = Fifo<Operation>()
    swap(&operations, &backlog.pointee.operations)
    backlog.pointee.handoff.hold(operations.count)
    let waiters = backlog.pointee.handoff.takeWaiters()
    lock.unlock()
    if !waiters.isEmpty { DrainHandoff.goOn(waiters) }
    return operations
  }

  // MARK: In the body of a commit

  /// True if the calling thread is in the body of a commit.
  ///
  /// Callbacks that it calls there read and change a commit that may still be undone. So it calls
  /// them only with values that it has sent itself. Values that other threads have sent, and first
  /// values for their subscriptions, are left to another thread, or to the end of the body.
  @usableFromInline final var isInBody: Bool { DeferredDeliveries.current != nil }

  /// Takes the first `ownCount` operations, or gives up the gate and leaves the rest.
  ///
  /// The lock is held at the call, and isn't held when it returns.
  @usableFromInline final func takeOwnOperations() -> Fifo<Operation>? {
    // A subscription to a relay that has ended calls its end callback.
    if hasEnded { backlog.pointee.ownCount = 0 }
    var operations = Fifo<Operation>()
    while backlog.pointee.ownCount > 0, let operation = backlog.pointee.operations.popFirst() {
      backlog.pointee.ownCount -= 1
      operations.append(operation)
    }
    if !operations.isEmpty || !backlog.pointee.removals.isEmpty {
      lock.unlock()
      return operations
    }
    let successor = backlog.pointee.handoff.takeSuccessor()
    backlog.pointee.isLeft = successor == nil
    gate.store(2)
    lock.unlock()
    if let successor {
      successor.takeOver()
    } else {
      DeferredDeliveries.current?.add(self)
    }
    return nil
  }

  /// Takes the gate if a thread in a body has left it; the lock is held.
  @usableFromInline final func takeLeft() -> Bool {
    guard backlog.pointee.isLeft, DeferredDeliveries.current == nil else { return false }
    backlog.pointee.isLeft = false
    gate.store(CurrentThread.tag | 2)
    return true
  }

  override final var isLeft: Bool { backlogIfAny?.pointee.isLeft ?? false }

  override final func goOnAfterBody() {
    if lock.withLock({ takeLeft() }) { drain() }
  }

  // MARK: Carrying out

  /// Carries out `operation` and releases it, outside the lock and before the next one begins.
  @inlinable final func carryOut(_ operation: consuming Operation) {
    switch consume operation {
    case .send(let value): deliver(value)
    case .add(let subscriber, let first): add(subscriber, first: first)
    case .end: endAll()
    }
  }

  /// Adds a subscriber when its turn comes.
  @inlinable final func add(_ subscriber: Subscriber<Value>, first: Value?) {
    guard subscriber.isLive else { return }
    if let first { subscriber.receive(first) }
    guard subscriber.isLive else { return }
    if !link(.passUnretained(subscriber)) { end(subscriber) }
  }

  /// Removes cancelled subscribers and releases them, outside the lock.
  @inlinable final func removeCancelled() {
    guard removals.load() != 0 else { return }
    let cancelled = lock.withLock {
      let cancelled = backlog.pointee.removals
      backlog.pointee.removals = []
      removals.store(0)
      return cancelled
    }
    for subscription in cancelled {
      unlink(subscription)?.release()
      subscription.release()
    }
  }
}
