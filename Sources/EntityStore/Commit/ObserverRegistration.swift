internal import Locking

/// An observer's entry in a store.
///
/// The entry ends when this object is deallocated.
package final class ObserverRegistration: Sendable {
  private let store: Store
  private let entry: ObserverRegistry.Entry
  private struct Followed {
    var entities: Set<EntityDescription> = []
    var objects: Set<ObserverRegistry.Object> = []
    /// The numbers of the predicates.
    var predicates: [Int] = []
  }

  private let followed = Locked(Followed())

  init(_ store: Store, _ entry: ObserverRegistry.Entry) {
    self.store = store
    self.entry = entry
  }

  /// Follows all objects of `entities`, and stops following other entities.
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

  /// Follows these objects, and stops following other single objects.
  package func follow(_ objects: [(entity: EntityDescription, id: StoredValue)]) {
    let keys = Set(objects.map { ObserverRegistry.Object(entity: $0.entity, id: $0.id) })
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

  /// Follows the objects that meet one of these predicates before or after a commit, and stops
  /// following other predicates.
  package func follow(
    predicates: [(entity: EntityDescription, watched: WatchedPredicate)]
  ) {
    if predicates.isEmpty && followed.withLock({ $0.predicates.isEmpty }) { return }
    store.registry.withLock { registry in
      let numbers = predicates.map { registry.follow($0.entity, $0.watched, with: entry) }
      let old = followed.withLock { followed in
        defer { followed.predicates = numbers }
        return followed.predicates
      }
      for number in old { registry.unfollow(predicate: number) }
    }
  }

  deinit {
    follow(predicates: [])
    // The types are written out: a bare [] is an array, and would select the objects both times.
    let entities: Set<EntityDescription> = []
    let objects: [(entity: EntityDescription, id: StoredValue)] = []
    follow(entities)
    follow(objects)
  }
}
