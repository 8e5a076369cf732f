/// The subscribing side of a publisher: other code can subscribe to it, but not send.
///
///     public var prices: Signal<Int> { relay.signal }
///
/// A signal is a value. It can be stored and passed, and other signals can be derived from it. It
/// doesn't keep the relay alive. An operator returns another signal, and does nothing until that
/// signal is subscribed to. Each subscription then has its own chain of operators.
public struct Signal<Output: Sendable>: Subscribable {
  @usableFromInline typealias Receive = @Sendable (Output) -> Void
  @usableFromInline typealias End = @Sendable () -> Void

  /// `End` is called when no value can come any more.
  @usableFromInline let attach: @Sendable (@escaping Receive, End?) -> SubscriptionToken

  /// True if a subscriber's own check has to stand at the end of the chain.
  ///
  /// A relay's check stands at the beginning of the chain, and an operator's closure may cancel.
  @usableFromInline let isChain: Bool

  /// Creates the signal of an operator.
  @inlinable init(attach: @escaping @Sendable (@escaping Receive, End?) -> SubscriptionToken) {
    self.attach = attach
    isChain = true
  }

  @inlinable init(_ core: RelayCore<Output>) {
    attach = { core.attach($0, $1) }
    isChain = false
  }

  /// Creates the signal of a state relay, whose last value it holds.
  @inlinable init(_ holder: StateHolder<Output>) {
    attach = { receive, end in
      let token = holder.core.attach(receive, end)
      withExtendedLifetime(holder) {}
      return token
    }
    isChain = false
  }

  /// Returns a signal that makes another signal for each subscription, and subscribes to that one.
  package static func deferred(_ make: @escaping @Sendable () -> Signal) -> Signal {
    Signal { receive, end in make().attach(receive, end) }
  }

  /// This signal.
  @inlinable public var signal: Signal<Output> { self }
}
