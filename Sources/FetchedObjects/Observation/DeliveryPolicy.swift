internal import EntityStore
internal import Relays

/// How many events a model makes of commits that come while it can't deliver.
public enum DeliveryPolicy: Sendable {
  /// One for each commit. The default of `.immediate`.
  ///
  /// When a place has fallen behind by 10,000 events, those that follow are merged until it has caught
  /// up: memory doesn't grow without end, and nobody waits for a slow place. Subscribers to
  /// `Store.commits` and `Store.changes(of:)` there are told of each commit all the same, which ends what
  /// is merged before it.
  case every
  /// One for all that wait, with their net change. The default of an actor.
  ///
  /// Everything in one place shows a commit before anybody there is called. So a commit that another
  /// one there is told by itself, under ``every``, ends what is merged.
  case coalesced

  /// What a place does unless told otherwise.
  static func standard(for delivery: Delivery) -> DeliveryPolicy {
    delivery.queue == nil ? .every : .coalesced
  }
}

extension ListenerEntry {
  /// An entry after all that there are.
  convenience init(
    _ listener: any CommitListener, _ delivery: Delivery, _ policy: DeliveryPolicy?,
    in store: Store
  ) {
    let policy = policy ?? .standard(for: delivery)
    self.init(listener, delivery, mergesWhatWaits: policy == .coalesced, in: store)
  }
}
