/// A delivery context: where a model shows its changes and calls its subscribers.
///
///     let cars = try FetchedObjectsModel(query, in: store, delivery: .mainActor)
///
/// Everything that delivers in one context shares one queue. So everything there has reached a
/// commit before any callback of it runs (F13).
public struct Delivery: Sendable {
  /// The queue of the context, or nil for the thread that is delivering.
  package let queue: DeliveryQueue?

  /// The thread that delivers: the one that commits, or one that is already delivering.
  public static let immediate = Delivery(queue: nil)

  /// The main actor.
  ///
  /// A commit that is made there, outside a callback and a `modify`, is delivered before it
  /// returns.
  public static let mainActor = Delivery(queue: .main)

  /// Returns the delivery context of `actor`.
  ///
  /// The actor is held weakly. When it is deallocated, nothing is delivered any more.
  public static func on(_ actor: some Actor) -> Delivery {
    Delivery(queue: .queue(of: actor))
  }
}
