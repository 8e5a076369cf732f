public import Locking

/// What a relay and its signals and tokens share: the gate, and the backlog of what waits there.
@usableFromInline class RelayCore<Value: Sendable>: RelayGate, @unchecked Sendable {
  // @unchecked: `backlog` is under `lock`.
  @usableFromInline enum Operation {
    case send(Value)
    /// Adds a subscriber, after giving it `first` if there is one.
    case add(Subscriber<Value>, first: Value?)
    case end
  }

  @usableFromInline struct Backlog {
    @usableFromInline var operations = Fifo<Operation>()
    /// Cancelled subscriptions; they go first, so that their captures don't outlive the delivery.
    @usableFromInline var removals: [Unmanaged<Subscription>] = []
    @usableFromInline var relief = Relief()

    @inlinable init() {}
  }

  /// Made when something has to wait for the first time, so that most relays do without.
  @exclusivity(unchecked) @usableFromInline final var backlogIfAny: UnsafeMutablePointer<Backlog>?

  /// A core whose lock is shared with others.
  @usableFromInline convenience init() { self.init(lock: .shared()) }

  @usableFromInline override init(lock: UnsafeLock) { super.init(lock: lock) }

  deinit {
    guard let backlog = backlogIfAny else { return }
    for subscription in backlog.pointee.removals { subscription.release() }
    backlog.deinitialize(count: 1)
    backlog.deallocate()
  }

  /// What waits; the caller holds the lock.
  @inlinable final var backlog: UnsafeMutablePointer<Backlog> {
    if let backlog = backlogIfAny { return backlog }
    let backlog = UnsafeMutablePointer<Backlog>.allocate(capacity: 1)
    backlog.initialize(to: Backlog())
    backlogIfAny = backlog
    return backlog
  }

  // MARK: Sending

  @inlinable final func send(_ value: Value) {
    guard gate.compareExchange(0, 1) else { return post(value) }
    deliver(value)
    if !gate.compareExchange(1, 0) { drain() }
  }

  /// Calls everyone who is subscribed; the caller holds the gate.
  @inlinable final func deliver(_ value: Value) {
    guard let slots = fields.pointee.slots else { return }
    // Both are read once: a subscription or a cancel made meanwhile waits in the backlog.
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

  /// Sends what `decide` gives, in the order of the decisions.
  ///
  /// `decide` runs under the lock, so it runs nobody's code; what it replaces it hands out.
  @inlinable final func send(deciding decide: () -> Value?) {
    lock.lock()
    guard let value = decide() else { return lock.unlock() }
    let turn = takeTurn(value)
    lock.unlock()
    deliver(value, turn)
  }

  /// Who delivers a value.
  @usableFromInline enum Turn {
    /// The caller, who holds the gate.
    case here
    /// The caller, who holds the gate and drains the backlog, where the value is.
    case draining
    /// Whoever delivers already.
    case elsewhere
    /// The same, which the caller may relieve.
    case relieving
  }

  /// Gives `value` its place in the order; the lock is held.
  @inlinable final func takeTurn(_ value: Value) -> Turn {
    if gate.compareExchange(0, 1) { return .here }
    return leave(sending: value)
  }

  /// Leaves `value` to whoever delivers; the lock is held.
  @inlinable final func leave(sending value: Value) -> Turn {
    backlog.pointee.operations.append(.send(value))
    if gate.exchange(2) == 0 { return .draining }
    return backlog.pointee.relief.isWanted ? .relieving : .elsewhere
  }

  /// Delivers `value` if that is for the caller to do; the lock isn't held.
  @inlinable final func deliver(_ value: Value, _ turn: Turn) {
    switch turn {
    case .here:
      deliver(value)
      if !gate.compareExchange(1, 0) { drain() }
    case .draining: drain()
    case .elsewhere: break
    case .relieving: relieve()
    }
  }

  /// Takes over from a thread that has delivered for others for long.
  @usableFromInline final func relieve() {
    let isMine = Relief.offer { access in lock.withLock { access(&backlog.pointee.relief) } }
    if isMine { drain() }
  }

  /// Says that no value will be sent any more, after those that wait.
  @inlinable final func end() {
    if gate.compareExchange(0, 1) {
      carryOut(.end)
      if !gate.compareExchange(1, 0) { drain() }
      return
    }
    let isMine = lock.withLock {
      backlog.pointee.operations.append(.end)
      return gate.exchange(2) == 0
    }
    if isMine { drain() }
  }

  // MARK: The backlog

  /// What a new subscriber gets at once, if the relay has a value; the lock is held.
  var first: Value? { nil }

  override final func leave(adding subscription: Unmanaged<Subscription>) -> Bool {
    subscription._withUnsafeGuaranteedRef {
      let subscriber = unsafeDowncast($0, to: Subscriber<Value>.self)
      backlog.pointee.operations.append(.add(subscriber, first: first))
    }
    return backlog.pointee.relief.isWanted
  }

  override final func stepBack() {
    Relief.stepBack { access in lock.withLock { access(&backlog.pointee.relief) } }
  }

  override final func leave(removing subscription: Unmanaged<Subscription>) {
    backlog.pointee.removals.append(subscription)
  }

  /// Subscribes `receive`, and `end` to be called when no value can come any more.
  @inlinable final func attach(
    _ receive: @escaping @Sendable (Value) -> Void, _ end: (@Sendable () -> Void)?
  ) -> SubscriptionToken {
    if let end { return subscribe(EndingSubscriber(receive: receive, onEnd: end)) }
    return subscribe(Subscriber(receive: receive))
  }

  /// Carries out what waits until nothing does; the caller holds the gate.
  ///
  /// All that waits is taken at once, since a thread that delivers while others go on sending has to
  /// outrun them. Where it can't, one of them takes over.
  @inlinable final func drain() {
    var count = 0
    while var operations = takeOperations(after: count) {
      removeCancelled()
      while let operation = operations.popFirst() {
        carryOut(operation)
        removeCancelled()
        count += 1
        if count == Relief.patience && !operations.isEmpty { putBack(&operations) }
      }
    }
  }

  /// Puts operations back before those that wait, so that another thread can go on with them.
  @inlinable final func putBack(_ operations: inout Fifo<Operation>) {
    lock.withLock {
      while let later = backlog.pointee.operations.popFirst() { operations.append(later) }
      swap(&operations, &backlog.pointee.operations)
    }
  }

  /// Takes what waits, or gives the gate back if nothing does or another thread is to go on.
  ///
  /// Who has carried out many takes a few at a time, to be relieved between.
  @inlinable final func takeOperations(after count: Int) -> Fifo<Operation>? {
    lock.withLock {
      guard let backlog = backlogIfAny,
        !backlog.pointee.operations.isEmpty || !backlog.pointee.removals.isEmpty
      else {
        backlogIfAny?.pointee.relief.reset()
        gate.store(0)
        return nil
      }
      if backlog.pointee.relief.handOver(after: count) { return nil }
      var operations = Fifo<Operation>()
      if count < Relief.patience {
        swap(&operations, &backlog.pointee.operations)
      } else {
        for _ in 0..<backlog.pointee.relief.allowance {
          guard let operation = backlog.pointee.operations.popFirst() else { break }
          operations.append(operation)
        }
      }
      return operations
    }
  }

  /// Carries out `operation` and releases it, outside the lock and before the next is begun.
  @inlinable final func carryOut(_ operation: consuming Operation) {
    switch consume operation {
    case .send(let value): deliver(value)
    case .add(let subscriber, let first): add(subscriber, first: first)
    case .end: endAll()
    }
  }

  /// Adds a subscriber in its turn.
  @inlinable final func add(_ subscriber: Subscriber<Value>, first: Value?) {
    guard subscriber.isLive else { return }
    if let first { subscriber.receive(first) }
    guard subscriber.isLive else { return }
    if !link(.passUnretained(subscriber)) { subscriber.end() }
  }

  /// Takes cancelled subscribers out and releases them, outside the lock.
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
