internal import Locking

/// The way of one subscription's values to another place.
///
/// Values keep their order and don't nest: while one waits in the queue or is being received from
/// there, the next ones wait too.
final class ReceiveOn<Value: Sendable>: Cancellable, @unchecked Sendable {
  // @unchecked: `live` is atomic, and the rest is in `state`.
  private struct State {
    var body: (@Sendable (Value) -> Void)?
    var upstream: SubscriptionToken?
    var waiting = 0
    /// Whether the publisher has ended.
    var hasEnded = false

    /// Gives what is held once nothing can come any more, for the caller to release outside the lock.
    mutating func takeAtEnd() -> (@Sendable (Value) -> Void)? {
      guard hasEnded && waiting == 0 else { return nil }
      defer { body = nil }
      return body
    }
  }

  /// A value on its way.
  ///
  /// It counts itself down when it has been received, or when its job is dropped since the actor is deallocated.
  private final class Arrival: @unchecked Sendable {
    // @unchecked: `isCounted` is written by the one job that holds this, and read when the job is freed.
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

  /// Calls `body` in the place of `queue`: straight if this is it and nothing waits, else later.
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
    // Inside the body of a commit nothing is delivered anywhere.
    let isHere = queue.isCurrent && DeferredDeliveries.current == nil
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

  /// Hands the arrival to the queue, and keeps nothing of it.
  private func add(_ arrival: Arrival) { queue.enqueue { arrival.arrive() } }

  private func pass(_ value: Value) {
    let body = state.withLock { $0.body }
    if live.load() != 0 { body?(value) }
  }

  /// A value has arrived, or never will.
  private func countDown() {
    let held = state.withLock { state in
      state.waiting -= 1
      return state.takeAtEnd()
    }
    withExtendedLifetime(held) {}
  }

  /// The publisher has ended: when what is on its way has arrived, nothing is held any more.
  private func end() {
    let held = state.withLock { state in
      state.hasEnded = true
      return state.takeAtEnd()
    }
    withExtendedLifetime(held) {}
  }

  override func silence(_ token: SubscriptionToken) { live.store(0) }

  /// Silences, then lets go of everything outside the lock.
  override func cancel(_ token: SubscriptionToken) {
    live.store(0)
    let (upstream, body) = state.withLock { state in
      let held = (state.upstream, state.body)
      state.upstream = nil
      state.body = nil
      return held
    }
    upstream?.cancel()
    withExtendedLifetime(body) {}
  }

  override func isActive(_ token: SubscriptionToken) -> Bool {
    // What is on its way will come, also when the publisher has gone.
    let (upstream, waiting) = state.withLock { ($0.upstream, $0.waiting) }
    return !queue.isGone && (waiting > 0 || upstream?.isActive ?? false)
  }
}
