internal import Locking

/// The way of one subscription's values to another place.
///
/// Values keep their order and don't nest: while one waits in the queue or is being received from
/// there, the next ones wait too.
final class Hop<Value: Sendable>: TokenSource, @unchecked Sendable {
  // @unchecked: `live` is atomic, and the rest is in `state`.
  private struct State {
    var body: (@Sendable (Value) -> Void)?
    var upstream: SubscriptionToken?
    var waiting = 0
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
    let hop = Hop(queue: queue, body: body)
    let upstream = signal.attach({ hop.receive($0) }, nil)
    hop.state.withLock { $0.upstream = upstream }
    return SubscriptionToken(source: hop)
  }

  private func receive(_ value: Value) {
    let isHere = queue.isCurrent
    let body = state.withLock { state -> (@Sendable (Value) -> Void)? in
      if isHere && state.waiting == 0 { return state.body }
      state.waiting += 1
      return nil
    }
    if let body {
      if live.load() != 0 { body(value) }
      return
    }
    queue.enqueue { self.arrive(value) }
    queue.run()
  }

  private func arrive(_ value: Value) {
    let body = state.withLock { $0.body }
    if live.load() != 0 { body?(value) }
    state.withLock { $0.waiting -= 1 }
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
