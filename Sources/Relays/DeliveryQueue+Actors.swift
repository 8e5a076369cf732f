internal import Locking

// The queues of actors. Each actor has one, for as long as any code holds the queue.
extension DeliveryQueue {
  private struct Entry {
    weak var queue: DeliveryQueue?
  }

  private struct Entries {
    var byActor: [ObjectIdentifier: Entry] = [:]
    /// The number of entries at which those of deallocated queues are next removed.
    var sweep = 64
  }

  private static let actors = Locked(Entries())

  /// Returns the queue of `actor`, which stays the same for as long as any code holds it.
  package static func queue(of actor: some Actor) -> DeliveryQueue {
    if actor is MainActor { return main }
    // The queues that were read are returned, so that none is deallocated under the lock.
    let (queue, _) = actors.withLock { entries -> (DeliveryQueue, [DeliveryQueue?]) in
      let known = entries.byActor[ObjectIdentifier(actor)]?.queue
      if let known, known.isOf(actor) { return (known, []) }
      let queue = DeliveryQueue(.actor(WeakActor(actor)))
      var seen = [known]
      if entries.byActor.count > entries.sweep {
        seen += entries.byActor.values.map(\.queue)
        entries.byActor = entries.byActor.filter { $0.value.queue != nil }
        entries.sweep = max(64, 2 * entries.byActor.count)
      }
      entries.byActor[ObjectIdentifier(actor)] = Entry(queue: queue)
      return (queue, seen)
    }
    return queue
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
  static var shared: [DeliveryQueue] {
    [main] + actors.withLock { $0.byActor.values.compactMap(\.queue) }
  }

  private func isOf(_ actor: some Actor) -> Bool {
    // An address can be used again; the weak reference can't.
    if case .actor(let weak) = place { weak.actor === actor } else { false }
  }
}
