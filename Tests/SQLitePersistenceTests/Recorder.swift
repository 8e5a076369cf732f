import Locking
import Relays

/// Keeps what a signal sends.
final class Recorder<Value: Sendable>: Sendable {
  private let state = Locked<[Value]>([])
  private let token = Locked<SubscriptionToken?>(nil)

  init(_ signal: Signal<Value>) {
    let token = signal.subscribe { [weak self] value in
      self?.state.withLock { $0.append(value) }
    }
    self.token.withLock { $0 = token }
  }

  var values: [Value] { state.withLock { $0 } }
}
