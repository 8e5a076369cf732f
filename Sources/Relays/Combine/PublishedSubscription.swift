#if canImport(Combine)
internal import Combine
internal import Locking

/// A subscription that a subscriber of Combine holds: it keeps what the subscriber hasn't asked for
/// yet.
///
/// The subscriber isn't `Sendable`. It is called by one thread at a time, as Combine demands.
final class PublishedSubscription<Output: Sendable>: Combine.Subscription, @unchecked Sendable {
  // @unchecked: the subscriber's closures aren't `Sendable`. They are read under the lock, and only
  // the thread that has set `isBusy` calls them.

  private typealias Receive = (Output) -> Subscribers.Demand

  private struct State {
    /// The subscriber, until it has been cancelled or has finished.
    var receive: Receive?
    var complete: (() -> Void)?
    var token: SubscriptionToken?
    var waiting = Fifo<Output>()
    var demand = Subscribers.Demand.none
    var hasEnded = false
    /// True while a thread calls the subscriber, which others leave their values to.
    ///
    /// It is true at first, until the subscriber has its subscription.
    var isBusy = true
  }

  /// The next step of the thread that calls the subscriber.
  private enum Step {
    case receive(Output, Receive)
    case complete(() -> Void)
    case stop
  }

  private let state: Locked<State>

  init(
    receive: @escaping (Output) -> Subscribers.Demand, complete: @escaping () -> Void
  ) {
    state = Locked(State(receive: receive, complete: complete))
  }

  /// Subscribes to the values, which wait.
  func attach(to signal: Signal<Output>) {
    let token = signal.attach(
      { value in self.change { $0.waiting.append(value) } },
      { self.change { $0.hasEnded = true } })
    state.withLock { $0.token = token }
  }

  /// Lets values through.
  func begin() { callSubscriber() }

  func request(_ demand: Subscribers.Demand) { change { $0.demand += demand } }

  func cancel() {
    // A deinit of what is released may run the app's code, so it outlives the lock.
    let released = state.withLock { state in
      defer {
        (state.receive, state.complete, state.token) = (nil, nil, nil)
        state.waiting = Fifo()
      }
      return state
    }
    released.token?.cancel()
  }

  /// Changes the state, and calls the subscriber as far as it may be called now.
  private func change(_ body: (inout State) -> Void) {
    let mayCall = state.withLock { state in
      guard state.receive != nil else { return false }
      body(&state)
      defer { state.isBusy = true }
      return !state.isBusy
    }
    if mayCall { callSubscriber() }
  }

  private func callSubscriber() {
    var asked = Subscribers.Demand.none
    while true {
      switch state.withLock({ Self.next(&$0, asked) }) {
      case .receive(let value, let receive): asked = receive(value)
      case .complete(let complete):
        cancel()
        return complete()
      case .stop: return
      }
    }
  }

  private static func next(_ state: inout State, _ asked: Subscribers.Demand) -> Step {
    guard let receive = state.receive, let complete = state.complete else { return .stop }
    state.demand += asked
    if state.demand > .none, let value = state.waiting.popFirst() {
      state.demand -= 1
      return .receive(value, receive)
    }
    if state.hasEnded && state.waiting.isEmpty { return .complete(complete) }
    state.isBusy = false
    return .stop
  }
}
#endif
