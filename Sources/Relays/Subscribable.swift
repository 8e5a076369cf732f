/// A publisher: a relay, a state relay, or a signal.
///
///     func log(_ values: some Subscribable<Int>) -> SubscriptionToken {
///       values.subscribe { print($0) }
///     }
///
/// All ways of subscribing and all operators are defined here.
public protocol Subscribable<Output>: Sendable {
  /// The type of the values.
  associatedtype Output: Sendable

  /// The subscribing side.
  var signal: Signal<Output> { get }
}

extension Relay: Subscribable {}
extension StateRelay: Subscribable {
  /// The type of the values.
  public typealias Output = Value
}
