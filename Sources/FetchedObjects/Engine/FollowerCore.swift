internal import EntityStore
internal import Locking
internal import Relays

/// The shown value of a follower, its pending changes, and its turns in its delivery context.
final class FollowerCore<Value: PendingValue, Details: FollowerDetails>: Sendable {
  struct State: Sendable {
    var pending: PendingChanges<Value>
    var details: Details

    fileprivate mutating func change<Result>(_ body: (inout State) -> Result) -> Result {
      body(&self)
    }
  }

  let store: Store
  let queue: DeliveryQueue
  /// True if pending changes are still kept, as one step, after the actor of the delivery
  /// context is deallocated.
  private let joinsAfterEnd: Bool
  /// The state; nil until the first value has been read.
  private let state = Locked<State?>(nil)
  private let listener = OnceReference<ListenerEntry>()
  private let ended = AtomicWord(0)

  init(in store: Store, delivery: Delivery, joinsAfterEnd: Bool = false) {
    self.store = store
    self.joinsAfterEnd = joinsAfterEnd
    queue = store.queue(of: delivery)
  }

  /// Creates a listener's entry in the delivery context.
  func register(_ listener: some CommitListener, _ delivery: Delivery, _ policy: DeliveryPolicy?) {
    _ = self.listener.set(ListenerEntry(listener, delivery, policy, in: store))
  }

  /// The entry in the delivery context.
  ///
  /// - Precondition: `register` has returned.
  var entry: ListenerEntry {
    guard let entry = listener.object else {
      preconditionFailure("A follower is used before it has been registered")
    }
    return entry
  }

  func begin(_ value: Value, _ details: Details) {
    state.withLock { $0 = State(pending: PendingChanges(value), details: details) }
  }

  /// Runs `body` on the state, if there is a value.
  @discardableResult func change<Result>(_ body: (inout State) -> Result) -> Result? {
    ReleasePool.open { state.withLock { $0?.change(body) } }
  }

  /// Runs `body` on the state.
  ///
  /// - Precondition: There is a value.
  func withState<Result>(_ body: (inout State) -> Result) -> Result {
    guard let result = state.withLock({ $0?.change(body) }) else {
      preconditionFailure("A result is read before it has been fetched, or after it has ended")
    }
    return result
  }

  /// Runs `body` on the pending changes, if there is a value.
  func changePending<Result>(_ body: (inout PendingChanges<Value>) -> Result) -> Result? {
    change { state in
      state.details.pendingWillChange()
      return body(&state.pending)
    }
  }

  /// Adds the change that `step` makes, if any, and returns true if there is something to deliver.
  func append(_ step: (inout State, _ turn: Int) -> PendingChange<Value>?) -> Bool {
    let context = entry.context
    let isGone = context.isGone
    let turns = context.turns
    return change { state in
      state.details.pendingWillChange()
      if isGone && !joinsAfterEnd {
        state.pending.dropWaiting()
        return false
      }
      guard let step = step(&state, turns.next) else { return false }
      return state.pending.append(step, lastClosedTurn: isGone ? .min : turns.ended) && !isGone
    } ?? false
  }

  /// Takes a turn between two commits, and delivers it.
  ///
  /// `body` adds pending changes for the turn, and returns true if there is something to deliver.
  func takeTurn(_ body: (_ turn: Int) -> Bool) {
    let entry = entry
    store.takeTurn(entry) { body(entry.context.turns.next) }?.run()
  }

  /// Removes and returns the next event or error to deliver; `isLast` is true if no other is left.
  func popNews() -> (PendingChanges<Value>.News, isLast: Bool)? {
    let popped = state.withLock { $0?.change { ($0.pending.popNews(), $0.pending.isDelivered) } }
    guard let (news, isLast) = popped, let news else { return nil }
    return (news, isLast)
  }

  var hasEnded: Bool { ended.load() != 0 }

  /// Stops calling subscribers.
  func end() { ended.store(1) }

  /// Stops calling subscribers, and releases the shown value and the pending changes.
  func release() {
    end()
    let last = state.withLock { $0.take() }
    withExtendedLifetime(last) {}
  }
}
