/// What a `for await` loop keeps of values that come faster than it takes them.
public enum Buffering: Sendable {
  /// All of them.
  case unbounded
  /// The newest, at most so many.
  case newest(Int)
  /// The oldest, at most so many; later ones are dropped while it is full.
  case oldest(Int)
}

/// The values of a signal, one after another, for one `for await` loop.
///
/// They are kept from the moment this is made, so none is lost before the loop begins. The loop ends
/// when the relay goes; it doesn't keep the relay alive. Leaving it, or dropping this, unsubscribes.
public struct SignalValues<Value: Sendable>: AsyncSequence, Sendable {
  private let stream: AsyncStream<Value>

  init(_ signal: Signal<Value>, buffering: Buffering) {
    let policy: AsyncStream<Value>.Continuation.BufferingPolicy =
      switch buffering {
      case .unbounded: .unbounded
      case .newest(let count): .bufferingNewest(count)
      case .oldest(let count): .bufferingOldest(count)
      }
    stream = AsyncStream(bufferingPolicy: policy) { continuation in
      let token = signal.attach({ continuation.yield($0) }, { continuation.finish() })
      continuation.onTermination = { _ in token.cancel() }
    }
  }

  /// The values so far and from now on.
  public func makeAsyncIterator() -> AsyncStream<Value>.Iterator { stream.makeAsyncIterator() }
}

extension Signal {
  /// The values from now on, for `for await`.
  public func values(buffering: Buffering = .unbounded) -> SignalValues<Value> {
    SignalValues(self, buffering: buffering)
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
