internal import Relays

/// A turn that is to be delivered when no lock is held.
package struct TakenTurn: Sendable {
  let queue: DeliveryQueue?
  let dropped: StorePlace.Dropped?

  /// Delivers it if this is the place for it, and otherwise sees that it is delivered there.
  package func deliver() { queue?.run() }
}
