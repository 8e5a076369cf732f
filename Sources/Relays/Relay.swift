/// A publisher that passes each value to everyone subscribed at that moment.
///
///     let prices = Relay<Int>()
///     let token = prices.subscribe { print($0) }
///     prices.send(3)  // prints 3
///     token.cancel()
///
/// Each value is delivered once to every subscriber, in the order of subscription, on the thread
/// that delivers. All subscribers see the same order of values, even if several threads send. A
/// value that is sent during a delivery, from a callback or from another thread, is queued and
/// delivered afterwards. `send` returns once its value is delivered or queued. No lock is held
/// while a callback runs, so a callback may send, subscribe, cancel or take any lock.
///
/// A relay never fails and never completes. When it is deallocated, the `for await` loops over it
/// end. Its owner keeps it alive; subscriptions don't.
///
/// - Complexity: `send` is O(*n*) where *n* is the number of subscribers; subscribing and
///   cancelling are O(1), amortised.
public final class Relay<Output: Sendable>: Sendable {
  @usableFromInline let core = RelayCore<Output>()

  /// Creates a relay without subscribers.
  @inlinable public init() {}

  /// Delivers `value` to all current subscribers.
  @inlinable public func send(_ value: Output) { core.send(value) }

  /// The relay's subscribing side, for code that may listen but not send.
  @inlinable public var signal: Signal<Output> { Signal(core) }

  package var hasSubscribers: Bool { core.hasSubscribers }

  deinit { core.end() }
}

extension Relay where Output == Void {
  /// Notifies all current subscribers.
  @inlinable public func send() { send(()) }
}
