internal import Locking
package import Relays

/// An observer's entry in a store.
///
/// It ends with the object.
package final class Observation: Sendable {
  private let store: Store
  private let entry: ObserverRegistry.Entry
  private struct Followed {
    var entities: Set<EntityDescription> = []
    var objects: Set<ObjectKey> = []
    var isGuarded = false
  }

  private struct ObjectKey: Hashable {
    let entity: EntityDescription
    let id: StoredValue
  }

  private let followed = Locked(Followed())

  init(_ store: Store, _ entry: ObserverRegistry.Entry) {
    self.store = store
    self.entry = entry
  }

  /// Follows every object of `entities`, and no others' any more.
  package func follow(_ entities: Set<EntityDescription>) {
    let old = followed.withLock { followed in
      defer { followed.entities = entities }
      return followed.entities
    }
    store.registry.withLock { registry in
      registry.unfollow(old.subtracting(entities), with: entry)
      registry.follow(entities.subtracting(old), with: entry)
    }
  }

  /// Follows these objects, and no others any more.
  package func follow(_ objects: [(entity: EntityDescription, id: StoredValue)]) {
    let keys = Set(objects.map { ObjectKey(entity: $0.entity, id: $0.id) })
    let old = followed.withLock { followed in
      defer { followed.objects = keys }
      return followed.objects
    }
    guard old != keys else { return }
    store.registry.withLock { registry in
      for key in old.subtracting(keys) { registry.unfollow(key.entity, id: key.id, with: entry) }
      for key in keys.subtracting(old) { registry.follow(key.entity, id: key.id, with: entry) }
    }
  }

  /// Follows the objects of `entity` that pass a guard before or after a commit, besides the others.
  ///
  /// - Precondition: it follows no guard yet.
  package func follow(_ entity: EntityDescription, _ changeGuard: ChangeGuard) {
    let wasGuarded = followed.withLock { followed in
      defer { followed.isGuarded = true }
      return followed.isGuarded
    }
    mustHold(!wasGuarded, "An observation follows one guard only")
    store.registry.withLock { $0.follow(entity, changeGuard, with: entry) }
  }

  deinit {
    if followed.withLock({ $0.isGuarded }) {
      store.registry.withLock { $0.unfollowGuard(of: entry) }
    }
    // Typed, because a bare [] is an array, and would mean the objects both times.
    let entities: Set<EntityDescription> = []
    let objects: [(entity: EntityDescription, id: StoredValue)] = []
    follow(entities)
    follow(objects)
  }
}

extension Store {
  /// Registers an observer, between two commits.
  ///
  /// What is read after this, and every later commit, leave no commit out. `start` says what to
  /// follow and keeps the observation; it runs while no commit is being published, may read a little,
  /// and must not commit.
  package func observe<Result>(
    _ observer: any CommitObserver, start: (Observation) throws -> Result
  ) rethrows -> Result {
    try publishing.withLock { _ in
      try start(Observation(self, registry.withLock { $0.makeEntry(observer) }))
    }
  }

  /// Waits until the observers have taken in the commit that is being published, if one is.
  ///
  /// A commit can be read a moment before it has its turns; who has read one and then waits takes a turn
  /// after it.
  package func waitForPublishing() { publishing.withLock { _ in } }

  /// The queue of a place, with this store's own for `.immediate`.
  package func queue(of delivery: Delivery) -> DeliveryQueue { delivery.queue ?? immediate }

  /// Runs `body` between two commits' turns, and gives a listener a turn if that is to be.
  ///
  /// What `body` takes in is shown after all commits that are taken in already, and before all others.
  /// It calls nobody.
  ///
  /// - Parameters:
  ///   - listener: whose turn it is.
  ///   - body: says whether there is something to show or tell.
  /// - Returns: what is to be delivered when the caller holds no lock.
  package func takeTurn(_ listener: ListenerEntry, _ body: () -> Bool) -> TakenTurn {
    placing.withLock { _ in
      guard body() else { return TakenTurn(queue: nil, dropped: nil) }
      let place = listener.place
      return TakenTurn(queue: place.queue, dropped: place.append([PlacedTurn(listener)]))
    }
  }

  /// What another layer keeps for this store, made when it is first asked for.
  package func companion<Companion: AnyObject & Sendable>(
    _ type: Companion.Type, make: () -> Companion
  ) -> Companion {
    companions.withLock { companions in
      if let companion = companions[ObjectIdentifier(type)] as? Companion { return companion }
      let companion = make()
      companions[ObjectIdentifier(type)] = companion
      return companion
    }
  }

  /// Runs `body` with the storage's reader, for observers.
  package func readStorage<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try storage.read(body)
  }
}

/// A turn that is to be delivered when no lock is held.
package struct TakenTurn: Sendable {
  let queue: DeliveryQueue?
  let dropped: StorePlace.Dropped?

  /// Delivers it if this is the place for it, and otherwise sees that it is delivered there.
  package func deliver() { queue?.run() }
}
