internal import Locking
package import Relays

/// A listener's entry: its delivery context, and its position among all listeners there.
///
/// It doesn't keep the listener alive.
package final class ListenerEntry: Sendable {
  let sequence: Int
  package let context: DeliveryContext
  /// True if the listener wants all waiting changes merged into one.
  let mergesWhatWaits: Bool
  weak let listener: (any CommitListener)?

  /// Creates an entry after all existing ones.
  package init(
    _ listener: any CommitListener, _ delivery: Delivery, mergesWhatWaits: Bool, in store: Store
  ) {
    sequence = store.registry.withLock { $0.makeSequence() }
    context = store.context(of: delivery.queue)
    self.mergesWhatWaits = mergesWhatWaits
    self.listener = listener
  }
}
