internal import EntityStore
internal import Relays

/// A rule for the number of events that a model makes of commits that wait to be delivered.
///
///     let model = try FetchedObjectsModel(
///       query, in: store, delivery: .mainActor, policy: .every)
public enum DeliveryPolicy: Sendable {
  /// One event for each commit. This is the default of `.immediate`.
  ///
  /// If 10,000 events are waiting in a delivery context, the events that follow are merged until
  /// the context has caught up. So memory doesn't grow without end, and a slow context delays
  /// nothing else. Subscribers to `Store.commits` and `Store.changes(of:)` still receive each
  /// commit. For a model of `.immediate`, each commit that they receive on the committing thread
  /// ends the merge before it. On an actor, a model that merges may be ahead of them.
  case every
  /// One event for all commits that wait, with their net change. This is the default of an actor.
  ///
  /// Everything in one delivery context shows a commit before any callback runs there. So the merge
  /// also ends at a commit that another model in the same context delivers alone, under ``every``.
  case coalesced

  static func standard(for delivery: Delivery) -> DeliveryPolicy {
    delivery.queue == nil ? .every : .coalesced
  }
}

extension ListenerEntry {
  /// Creates an entry after all existing ones.
  convenience init(
    _ listener: any CommitListener, _ delivery: Delivery, _ policy: DeliveryPolicy?,
    in store: Store
  ) {
    let policy = policy ?? .standard(for: delivery)
    self.init(listener, delivery, mergesWhatWaits: policy == .coalesced, in: store)
  }
}
