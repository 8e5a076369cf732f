extension Subscribable {
  /// Calls `body` with each value in a delivery context, in order.
  ///
  /// - Returns: The subscription, which ends when the token is cancelled or released.
  package func subscribe(
    in delivery: Delivery, _ body: @escaping @Sendable (Output) -> Void
  ) -> SubscriptionToken {
    guard let queue = delivery.queue else { return subscribe(body) }
    return ReceiveOn.subscribe(to: signal, through: queue, body)
  }
}
