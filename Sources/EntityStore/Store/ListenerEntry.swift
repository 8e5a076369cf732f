internal import Locking
package import Relays

/// Where a listener stands: its place, and its turn among all who listen there.
///
/// It doesn't keep the listener.
package final class ListenerEntry: Sendable {
  let sequence: Int
  package let context: DeliveryContext
  /// Whether it wants what waits as one.
  let mergesWhatWaits: Bool
  weak let listener: (any CommitListener)?

  /// An entry after all that there are.
  package init(
    _ listener: any CommitListener, _ delivery: Delivery, mergesWhatWaits: Bool, in store: Store
  ) {
    sequence = store.registry.withLock { $0.makeSequence() }
    context = store.context(of: delivery.queue)
    self.mergesWhatWaits = mergesWhatWaits
    self.listener = listener
  }
}
