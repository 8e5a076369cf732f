/// What a `for await` loop keeps of values that come faster than it takes them.
public enum Buffering: Sendable {
  /// All of them.
  case unbounded
  /// The newest, at most so many.
  case newest(Int)
  /// The oldest, at most so many; later ones are dropped while it is full.
  case oldest(Int)
}

/// The values of a signal, one after another, for `for await`.
///
/// Each loop subscribes when it starts and is unsubscribed when it is left. The loop ends when the
/// relay goes; it doesn't keep the relay alive.
public struct SignalValues<Value: Sendable>: AsyncSequence, Sendable {
  let signal: Signal<Value>
  let buffering: Buffering

  /// Subscribes and gives the values.
  public func makeAsyncIterator() -> AsyncStream<Value>.Iterator {
    let policy: AsyncStream<Value>.Continuation.BufferingPolicy =
      switch buffering {
      case .unbounded: .unbounded
      case .newest(let count): .bufferingNewest(count)
      case .oldest(let count): .bufferingOldest(count)
      }
    let stream = AsyncStream(bufferingPolicy: policy) { continuation in
      let token = signal.attach({ continuation.yield($0) }, { continuation.finish() })
      continuation.onTermination = { _ in token.cancel() }
    }
    return stream.makeAsyncIterator()
  }
}

extension Signal {
  /// The values from now on, for `for await`.
  public func values(buffering: Buffering = .unbounded) -> SignalValues<Value> {
    SignalValues(signal: self, buffering: buffering)
  }
}

extension Relay {
  /// The values sent from now on, for `for await`.
  public func values(buffering: Buffering = .unbounded) -> SignalValues<Output> {
    signal.values(buffering: buffering)
  }
}

extension StateRelay {
  /// The current value and those set from now on, for `for await`.
  public func values(buffering: Buffering = .unbounded) -> SignalValues<Value> {
    signal.values(buffering: buffering)
  }
}
