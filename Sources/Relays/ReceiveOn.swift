internal import Locking

/// A subscription whose values are delivered in another context.
///
/// Values keep their order and don't nest. While a value waits in the queue, or is being received
/// from it, the next values wait as well.
final class ReceiveOn<Value: Sendable>: Cancellable, @unchecked Sendable {
  // @unchecked: `live` is atomic, and the rest is in `state`.
  private struct State {
    var body: (@Sendable (Value) -> Void)?
    var upstream: SubscriptionToken?
    var waiting = 0
    var hasEnded = false

    /// Takes the callback out once no value can come any more.
    ///
    /// The caller releases it outside the lock.
    mutating func takeAtEnd() -> (@Sendable (Value) -> Void)? {
      hasEnded && waiting == 0 ? body.take() : nil
    }
  }

  /// A value on its way.
  ///
  /// It is counted down when it has been received, or when its job is dropped because the actor is
  /// deallocated.
  private final class Arrival: @unchecked Sendable {
    // @unchecked: `isCounted` is written by the one job that holds this, and read when it is freed.
    private let receiveOn: ReceiveOn
    private let value: Value
    private var isCounted = false

    init(_ value: Value, at receiveOn: ReceiveOn) {
      self.receiveOn = receiveOn
      self.value = value
    }

    func arrive() {
      receiveOn.pass(value)
      isCounted = true
      receiveOn.countDown()
    }

    deinit { if !isCounted { receiveOn.countDown() } }
  }

  private let queue: DeliveryQueue
  private let live = AtomicWord(1)
  private let state: Locked<State>

  private init(queue: DeliveryQueue, body: @escaping @Sendable (Value) -> Void) {
    self.queue = queue
    state = Locked(State(body: body))
  }

  /// Calls `body` in the delivery context of `queue`.
  ///
  /// The call is direct if the value comes in that context and nothing waits. Otherwise it comes
  /// later.
  static func subscribe(
    to signal: Signal<Value>, through queue: DeliveryQueue,
    _ body: @escaping @Sendable (Value) -> Void
  ) -> SubscriptionToken {
    let receiveOn = ReceiveOn(queue: queue, body: body)
    let upstream = signal.attach({ receiveOn.receive($0) }, { receiveOn.end() })
    receiveOn.state.withLock { $0.upstream = upstream }
    return SubscriptionToken(source: receiveOn)
  }

  private func receive(_ value: Value) {
    // Inside the body of a commit, nothing is delivered to any queue.
    let isHere = queue.takesDirectly && DeferredDeliveries.current == nil
    let body = state.withLock { state -> (@Sendable (Value) -> Void)? in
      if isHere && state.waiting == 0 { return state.body }
      state.waiting += 1
      return nil
    }
    if let body {
      if live.load() != 0 { body(value) }
      return
    }
    add(Arrival(value, at: self))
    queue.run()
  }

  /// Adds the arrival to the queue, and keeps no reference to it.
  private func add(_ arrival: Arrival) { queue.enqueue { arrival.arrive() } }

  private func pass(_ value: Value) {
    let body = state.withLock { $0.body }
    if live.load() != 0 { body?(value) }
  }

  /// Counts a value that has arrived, or never will.
  private func countDown() {
    _ = state.withLock { state in
      state.waiting -= 1
      return state.takeAtEnd()
    }
  }

  /// Notes that the publisher has ended.
  ///
  /// When the values on their way have arrived, nothing is held any more.
  private func end() {
    _ = state.withLock { state in
      state.hasEnded = true
      return state.takeAtEnd()
    }
  }

  override func silence(_ token: SubscriptionToken) { live.store(0) }

  /// Silences the subscription, then releases everything outside the lock.
  override func cancel(_ token: SubscriptionToken) {
    live.store(0)
    let (upstream, body) = state.withLock { ($0.upstream.take(), $0.body.take()) }
    upstream?.cancel()
    withExtendedLifetime(body) {}
  }

  override func isActive(_ token: SubscriptionToken) -> Bool {
    if queue.isGone { return false }
    // Values on their way still arrive after the publisher has been deallocated. They are counted
    // last: the publisher may send one and end while it is asked.
    let upstream = state.withLock { $0.upstream }
    return upstream?.isActive ?? false || state.withLock { $0.waiting > 0 }
  }
}
