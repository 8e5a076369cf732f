/// A receiver of what a follower shows and delivers.
protocol EventReceiver<Value>: Sendable {
  associatedtype Value: PendingValue

  /// Takes an event that is shown, before any callback runs in the delivery context.
  func show(_ event: PendingChanges<Value>.Event)

  /// Takes an event in its turn.
  func deliver(_ event: PendingChanges<Value>.Event)

  /// Forgets an event that was shown and is delivered to nobody, because the model has ended.
  func drop(_ event: PendingChanges<Value>.Event)

  /// Takes a read error in its turn.
  func deliver(_ error: any Error)

  var subscriptionCount: Int { get }
}

extension EventReceiver {
  func drop(_ event: PendingChanges<Value>.Event) {}
}
