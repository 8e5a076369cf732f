#if canImport(Combine)
public import Combine

extension Subscribable {
  /// A Combine publisher of the values.
  ///
  ///     let cancellable = cars.didChange.publisher
  ///       .map(\.after.count)
  ///       .sink { print($0) }
  ///
  /// Each subscriber has a subscription of its own. Values come in order, on the thread that sends
  /// them. Values beyond a subscriber's demand wait for it, so that no change is lost; they come on
  /// the thread that demands more. The publisher finishes when the last value of a relay that has
  /// ended has been received. It never fails.
  public var publisher: SignalPublisher<Output> { SignalPublisher(signal: signal) }
}

/// The values of a signal for Combine: see ``Subscribable/publisher``.
public struct SignalPublisher<Output: Sendable>: Publisher, Sendable {
  /// It never fails.
  public typealias Failure = Never

  let signal: Signal<Output>

  /// Starts a subscription.
  public func receive<Downstream: Combine.Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Never {
    let subscription = PublishedSubscription(
      receive: { subscriber.receive($0) }, complete: { subscriber.receive(completion: .finished) })
    // No value that is sent from here on is missed.
    subscription.attach(to: signal)
    subscriber.receive(subscription: subscription)
    subscription.begin()
  }
}
#endif
