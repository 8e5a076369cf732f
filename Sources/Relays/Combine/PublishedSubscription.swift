#if canImport(Combine)
internal import Combine
internal import Locking

/// A subscription that a subscriber of Combine holds: it keeps what the subscriber hasn't asked for
/// yet.
///
/// The subscriber isn't `Sendable`. It is called by one thread at a time, as Combine demands.
final class PublishedSubscription<Output: Sendable>: Combine.Subscription, @unchecked Sendable {
  private struct State {
    var waiting = Fifo<Output>()
    var demand = Subscribers.Demand.none
    var hasEnded = false
    var isCancelled = false
    /// True while a thread calls the subscriber, which others leave their values to.
    var isBusy = false
    var token: SubscriptionToken?
  }

  /// The next step of the thread that calls the subscriber.
  private enum Step {
    case receive(Output)
    case complete
    case stop
  }

  private let state = Locked(State())
  private let receive: (Output) -> Subscribers.Demand
  private let complete: () -> Void

  init(
    receive: @escaping (Output) -> Subscribers.Demand, complete: @escaping () -> Void
  ) {
    self.receive = receive
    self.complete = complete
  }

  /// Subscribes to the values.
  func start(_ signal: Signal<Output>) {
    let token = signal.attach(
      { value in self.change { $0.waiting.append(value) } },
      { self.change { $0.hasEnded = true } })
    let isOver = state.withLock { state in
      if !state.isCancelled { state.token = token }
      return state.isCancelled
    }
    if isOver { token.cancel() }
  }

  func request(_ demand: Subscribers.Demand) { change { $0.demand += demand } }

  func cancel() {
    let released = state.withLock { state in
      defer {
        state = State()
        state.isCancelled = true
      }
      return (state.token.take(), state.waiting)
    }
    released.0?.cancel()
  }

  /// Changes the state, and calls the subscriber as far as it may be called now.
  private func change(_ body: (inout State) -> Void) {
    let mayCall = state.withLock { state in
      guard !state.isCancelled else { return false }
      body(&state)
      defer { state.isBusy = true }
      return !state.isBusy
    }
    guard mayCall else { return }
    var asked = Subscribers.Demand.none
    while true {
      switch state.withLock({ Self.next(&$0, asked) }) {
      case .receive(let value): asked = receive(value)
      case .complete:
        complete()
        return cancel()
      case .stop: return
      }
    }
  }

  private static func next(_ state: inout State, _ asked: Subscribers.Demand) -> Step {
    guard !state.isCancelled else { return .stop }
    state.demand += asked
    if state.demand > .none, let value = state.waiting.popFirst() {
      state.demand -= 1
      return .receive(value)
    }
    if state.hasEnded && state.waiting.isEmpty { return .complete }
    state.isBusy = false
    return .stop
  }
}
#endif
