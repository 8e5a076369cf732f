/// The subscribing side of a publisher: outsiders can subscribe to it, and not send.
///
///     public var prices: Signal<Int> { relay.signal }
///
/// A signal is a value that can be stored, passed and derived from. It doesn't keep the relay alive.
public struct Signal<Value: Sendable>: Sendable {
  typealias Receive = @Sendable (Value) -> Void
  typealias End = @Sendable () -> Void

  /// Subscribes.
  ///
  /// `End` is called when no value can come any more.
  let attach: @Sendable (@escaping Receive, End?) -> SubscriptionToken

  init(attach: @escaping @Sendable (@escaping Receive, End?) -> SubscriptionToken) {
    self.attach = attach
  }

  init(_ core: RelayCore<Value>) {
    attach = { core.subscribe(Subscriber(receive: $0, end: $1)) }
  }
}
