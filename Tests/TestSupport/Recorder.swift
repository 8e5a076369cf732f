internal import Locking
public import Relays

/// Keeps what a signal sends.
///
///     let events = Recorder(model.didChange)
public final class Recorder<Value: Sendable>: Sendable {
  private let state = Locked<[Value]>([])
  private let token = Locked<SubscriptionToken?>(nil)

  /// Subscribes to `signal`.
  public init(_ signal: Signal<Value>) {
    let token = signal.subscribe { [weak self] value in
      self?.state.withLock { $0.append(value) }
    }
    self.token.withLock { $0 = token }
  }

  /// What has been sent, in order.
  public var values: [Value] { state.withLock { $0 } }
}
