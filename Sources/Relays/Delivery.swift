/// Where a model shows its changes and calls its subscribers.
///
///     let cars = try FetchedObjectsModel(query, in: store, delivery: .mainActor)
///
/// Everything that delivers in one place shares one queue, so all of it reaches a commit before any
/// callback runs there (F13).
public struct Delivery: Sendable {
  /// The queue of the place, or nil for the thread that is delivering.
  package let queue: DeliveryQueue?

  /// On the thread that is delivering: the one that commits, or one that is at it already.
  public static let immediate = Delivery(queue: nil)

  /// On the main actor.
  ///
  /// A commit made there, outside a callback, is delivered before it returns.
  public static let mainActor = Delivery(queue: .main)

  /// On `actor`, which is held weakly: when it goes, nothing is delivered any more.
  public static func on(_ actor: some Actor) -> Delivery {
    Delivery(queue: .queue(of: actor))
  }
}
