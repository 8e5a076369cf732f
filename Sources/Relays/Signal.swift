/// The subscribing side of a publisher: outsiders can subscribe to it, and not send.
///
///     public var prices: Signal<Int> { relay.signal }
///
/// A signal is a value that can be stored, passed and derived from. It doesn't keep the relay alive.
/// An operator gives another signal and does nothing until that is subscribed to; each subscription
/// then has a chain of its own.
public struct Signal<Output: Sendable>: Subscribable {
  @usableFromInline typealias Receive = @Sendable (Output) -> Void
  @usableFromInline typealias End = @Sendable () -> Void

  /// Subscribes.
  ///
  /// `End` is called when no value can come any more.
  @usableFromInline let attach: @Sendable (@escaping Receive, End?) -> SubscriptionToken

  /// Whether a subscriber's own check has to be at the end of the chain.
  ///
  /// A relay's check stands at its beginning, and an operator's closure may cancel.
  @usableFromInline let isChain: Bool

  /// A signal of an operator.
  @inlinable init(attach: @escaping @Sendable (@escaping Receive, End?) -> SubscriptionToken) {
    self.attach = attach
    isChain = true
  }

  /// A signal of a relay.
  @inlinable init(_ core: RelayCore<Output>) {
    attach = { core.attach($0, $1) }
    isChain = false
  }

  /// A signal of a state relay, whose last value it holds.
  @inlinable init(_ holder: StateHolder<Output>) {
    attach = { receive, end in
      let token = holder.core.attach(receive, end)
      withExtendedLifetime(holder) {}
      return token
    }
    isChain = false
  }

  /// A signal that is another one, made anew for each subscription.
  package static func deferred(_ make: @escaping @Sendable () -> Signal) -> Signal {
    Signal { receive, end in make().attach(receive, end) }
  }

  /// This signal.
  @inlinable public var signal: Signal<Output> { self }
}
