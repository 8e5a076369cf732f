internal import Locking

// The queues of actors: one for each, for as long as anybody holds it.
extension DeliveryQueue {
  private struct Entry {
    weak var queue: DeliveryQueue?
  }

  private struct Entries {
    var byActor: [ObjectIdentifier: Entry] = [:]
    /// How many entries there are when those of queues that have gone are next left out.
    var sweep = 64
  }

  private static let actors = Locked(Entries())

  /// The queue of `actor`, the same for as long as anybody holds it.
  package static func queue(of actor: some Actor) -> DeliveryQueue {
    if actor is MainActor { return main }
    // What is looked at is handed out, so that nothing is freed under the lock.
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

  /// Whether the place has gone with its actor; not to be asked under a lock.
  ///
  /// Who looks at the actor holds it for a moment, and may be the last one to.
  var isGone: Bool {
    if case .actor(let weak) = place { weak.actor == nil } else { false }
  }

  /// Whether it has been found that the place has gone: by the first `run` since, or by a later one.
  ///
  /// It looks at nothing that could be freed by that, so it may be asked under a lock.
  package var isKnownGone: Bool { gone.load() != 0 }

  /// The queues of all places but the immediate ones, as far as anybody holds them.
  static var shared: [DeliveryQueue] {
    [main] + actors.withLock { $0.byActor.values.compactMap(\.queue) }
  }

  private func isOf(_ actor: some Actor) -> Bool {
    // An address can be used again; the weak reference can't.
    if case .actor(let weak) = place { weak.actor === actor } else { false }
  }
}
