internal import Locking

extension Subscribable {
  /// Shares one subscription to this publisher among all subscribers of the result.
  ///
  ///     let rows = lines.map(parse).share()  // parses each line once
  ///
  /// The subscription begins with the first subscriber and ends with the last one. The next
  /// subscriber then begins another. All subscribers see the same order. A value that a publisher
  /// delivers on subscribing, such as the current one of a state relay, reaches only the first
  /// subscriber. One that subscribes on another thread while the subscription begins gets the
  /// values that are sent after it has begun. If no value can come any more while others are still
  /// subscribed, a new subscription ends at once.
  ///
  /// - Parameter replayingLast: True to deliver the last value first to each later subscriber. It
  ///   is forgotten when the last subscriber has left.
  /// - Returns: A signal that does nothing until it is subscribed to.
  public func share(replayingLast: Bool = false) -> Signal<Output> {
    let shared = Shared(signal, replayingLast)
    return Signal { shared.attach($0, $1) }
  }
}

/// The subscription that the subscribers of a shared signal have in common.
private final class Shared<Output: Sendable>: Sendable {
  private struct Connection {
    let core: RelayCore<Output>
    let upstreams = CompositeToken()
    var subscribers = 0
  }

  private let upstream: Signal<Output>
  private let replaysLast: Bool
  private let state = Locked<Connection?>(nil)

  init(_ upstream: Signal<Output>, _ replaysLast: Bool) {
    self.upstream = upstream
    self.replaysLast = replaysLast
  }

  func attach(
    _ receive: @escaping @Sendable (Output) -> Void, _ end: (@Sendable () -> Void)?
  ) -> SubscriptionToken {
    let connection = state.withLock { state in
      var connection = state ?? Connection(core: replaysLast ? LatestCore() : RelayCore())
      connection.subscribers += 1
      state = connection
      return connection
    }
    let (core, shared) = (connection.core, connection.upstreams)
    let upstreams = CompositeToken()
    upstreams.add(core.attach(receive, end))
    upstreams.add(SubscriptionToken(source: OnCancel { [self] in leave(shared) }))
    if connection.subscribers == 1 {
      let latest = core as? LatestCore<Output>
      shared.add(
        upstream.attach(
          { value in
            if let latest { latest.sendLatest(value) } else { core.send(value) }
          }, { core.end() }))
    }
    return SubscriptionToken(source: upstreams)
  }

  /// Removes a subscriber; the last one ends the connection.
  private func leave(_ upstreams: CompositeToken) {
    let isLast = state.withLock { state -> Bool in
      guard var connection = state, connection.upstreams === upstreams else { return false }
      connection.subscribers -= 1
      state = connection.subscribers == 0 ? nil : connection
      return connection.subscribers == 0
    }
    if isLast { upstreams.finish() }
  }
}
