/// A publisher that passes each value to everyone subscribed at that moment.
///
///     let prices = Relay<Int>()
///     let token = prices.subscribe { print($0) }
///     prices.send(3)  // prints 3
///     token.cancel()
///
/// A value goes once to every subscriber, in order of subscription, on the thread that delivers. All
/// subscribers see the same order, also with several senders. A value sent while another is being
/// delivered, from a callback or another thread, is queued and delivered after it; `send` returns
/// once its value is delivered or queued. No lock is held while a callback runs, so a callback may
/// send, subscribe, cancel or take any lock.
///
/// A relay never fails and never completes. When it goes, the `for await` loops over it end.
/// Subscriptions don't keep it alive; whoever owns it does.
///
/// - Complexity: `send` is O(*n*) where *n* is the number of subscribers; subscribing and
///   cancelling are O(1), amortised.
public final class Relay<Output: Sendable>: Sendable {
  @usableFromInline let core = RelayCore<Output>()

  /// A relay without subscribers.
  @inlinable public init() {}

  /// Delivers `value` to everyone who is subscribed.
  @inlinable public func send(_ value: Output) { core.send(value) }

  /// The relay's subscribing side, for those who may listen but not send.
  @inlinable public var signal: Signal<Output> { Signal(core) }

  /// Whether there is a subscription that hasn't been cancelled.
  package var hasSubscribers: Bool { core.hasSubscribers }

  deinit { core.end() }
}

extension Relay where Output == Void {
  /// Tells everyone who is subscribed.
  @inlinable public func send() { send(()) }
}
