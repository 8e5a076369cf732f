internal import Locking
package import Relays

/// A listener's entry: its delivery context, and its position among all listeners there.
///
/// It doesn't keep the listener alive.
package final class ListenerEntry: Sendable {
  /// The part of an entry that a waiting turn holds.
  ///
  /// The delivery context holds the turns that wait, so they must not hold the delivery context.
  /// Turns that wait when an actor is deallocated are never delivered.
  final class Recipient: Sendable {
    let sequence: Int
    /// True if the listener wants all waiting changes merged into one.
    let mergesWhatWaits: Bool
    weak let listener: (any CommitListener)?

    init(_ listener: any CommitListener, sequence: Int, mergesWhatWaits: Bool) {
      self.sequence = sequence
      self.mergesWhatWaits = mergesWhatWaits
      self.listener = listener
    }
  }

  let recipient: Recipient
  package let context: DeliveryContext

  /// Creates an entry after all existing ones.
  package init(
    _ listener: any CommitListener, _ delivery: Delivery, mergesWhatWaits: Bool, in store: Store
  ) {
    let sequence = store.registry.withLock { $0.makeSequence() }
    recipient = Recipient(listener, sequence: sequence, mergesWhatWaits: mergesWhatWaits)
    context = store.context(of: delivery.queue)
  }
}
