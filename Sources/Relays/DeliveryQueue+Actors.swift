internal import Locking

// The queues of actors. Each actor has one, for as long as any code holds the queue.
extension DeliveryQueue {
  private static let actors = WeakTable<ObjectIdentifier, DeliveryQueue>()

  /// Returns the queue of `actor`, which stays the same for as long as any code holds it.
  package static func queue(of actor: some Actor) -> DeliveryQueue {
    if actor is MainActor { return main }
    return actors.object(ObjectIdentifier(actor), if: { $0.isOf(actor) }) {
      DeliveryQueue(.actor(WeakActor(actor)))
    }
  }

  /// True if the queue's actor is deallocated; it must not be read under a lock.
  ///
  /// Reading it holds the actor for a moment, and may then release the last reference to it.
  var isGone: Bool {
    if case .actor(let weak) = place { weak.actor == nil } else { false }
  }

  /// True if the first `run` after the actor was deallocated, or a later one, has found that out.
  ///
  /// It reads nothing that could be deallocated by that, so it may be read under a lock.
  package var isKnownGone: Bool { gone.load() != 0 }

  /// The queues of all contexts except the immediate ones, as far as any code holds them.
  static var shared: [DeliveryQueue] { [main] + actors.objects }

  private func isOf(_ actor: some Actor) -> Bool {
    // An address can be used again; the weak reference can't.
    if case .actor(let weak) = place { weak.actor === actor } else { false }
  }
}
