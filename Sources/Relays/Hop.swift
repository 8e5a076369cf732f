internal import Locking

/// The way of one subscription's values to another place.
///
/// Values keep their order and don't nest: while one waits in the queue or is being received from
/// there, the next ones wait too.
final class Hop<Value: Sendable>: Sendable {
  private struct State {
    var body: (@Sendable (Value) -> Void)?
    var waiting = 0
  }

  private let queue: DeliveryQueue
  private let live = AtomicWord(1)
  private let state: Locked<State>

  init(queue: DeliveryQueue, body: @escaping @Sendable (Value) -> Void) {
    self.queue = queue
    state = Locked(State(body: body))
  }

  func receive(_ value: Value) {
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

  func silence() { live.store(0) }

  /// Lets go of the closure, outside the lock.
  func release() {
    let body = state.withLock { state in
      let body = state.body
      state.body = nil
      return body
    }
    _ = body
  }
}
