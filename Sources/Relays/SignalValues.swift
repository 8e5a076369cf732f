internal import Locking

/// The values of a signal, one after another, for `for await`.
///
///     for await price in prices.values() { print(price) }
///
/// Values are kept from the moment at which this sequence is made, so the first loop misses none.
/// Each further loop has its own subscription, which begins with the loop. A loop ends after the
/// last value when no more can come: when the relay is deallocated, or after `first` and `prefix`.
/// It doesn't keep the relay alive. Leaving the loop unsubscribes, and so does releasing this
/// sequence before a loop has begun.
public struct SignalValues<Value: Sendable>: AsyncSequence, Sendable {
  private let make: @Sendable () -> AsyncStream<Value>
  private let early: EarlyStream<Value>

  init(_ signal: Signal<Value>, buffering: Buffering) {
    let policy: AsyncStream<Value>.Continuation.BufferingPolicy =
      switch buffering {
      case .unbounded: .unbounded
      case .newest(let count): .bufferingNewest(checked(count))
      case .oldest(let count): .bufferingOldest(checked(count))
      }
    make = {
      AsyncStream(bufferingPolicy: policy) { continuation in
        let token = signal.attach({ continuation.yield($0) }, { continuation.finish() })
        continuation.onTermination = { _ in token.cancel() }
      }
    }
    early = EarlyStream(make())
  }

  /// Returns an iterator over the values.
  ///
  /// The first loop gets the values that were kept since the sequence was made, and those from now
  /// on. Each further loop gets the values from now on.
  public func makeAsyncIterator() -> AsyncStream<Value>.Iterator {
    (early.take() ?? make()).makeAsyncIterator()
  }
}

private func checked(_ count: Int) -> Int {
  mustHold(count >= 0, "A loop can't keep \(count) values; say 0 or more")
  return count
}

/// The stream that exists before the first loop, which takes it.
private final class EarlyStream<Value: Sendable>: Sendable {
  private let stream: Locked<AsyncStream<Value>?>

  init(_ stream: AsyncStream<Value>) { self.stream = Locked(stream) }

  func take() -> AsyncStream<Value>? { stream.withLock { $0.take() } }
}

extension Subscribable {
  /// Returns the values from now on, for `for await`.
  ///
  /// - Parameter buffering: The values that are kept while the loop is busy.
  /// - Returns: The values, which are kept from now on.
  public func values(buffering: Buffering = .unbounded) -> SignalValues<Output> {
    SignalValues(signal, buffering: buffering)
  }
}
