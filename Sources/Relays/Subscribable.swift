/// What can be subscribed to: a relay, a state relay, or a signal.
///
/// All ways of subscribing and all operators are found here.
public protocol Subscribable<Output>: Sendable {
  /// What subscribers are given.
  associatedtype Output: Sendable

  /// The subscribing side.
  var signal: Signal<Output> { get }
}

extension Relay: Subscribable {}
extension StateRelay: Subscribable {
  /// What subscribers are given.
  public typealias Output = Value
}
