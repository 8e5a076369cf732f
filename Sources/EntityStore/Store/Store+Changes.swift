internal import Locking
public import Relays

extension Store {
  /// The changes of each commit that concerns an entity.
  ///
  ///     let token = store.changes(of: Car.self).subscribe { print($0.inserted, $0.updated) }
  ///
  /// It delivers where the commit is delivered, together with `commits`. A commit costs only those
  /// whom it concerns, however many others have subscribed.
  ///
  /// Where others have committed more than the storage's log knows (``Commit/isComplete`` is false), that
  /// isn't told here: watch ``Store/commits`` for it and read anew, or use a model.
  ///
  /// - Precondition: the entity is one of the store's.
  public func changes<E: Entity>(of type: E.Type) -> Signal<EntityChanges<E>> {
    changes(type, following: .entity) { _ in true }
  }

  /// The changes of one object.
  ///
  /// What others have committed and the storage's log doesn't know isn't told, as with
  /// ``Store/changes(of:)``.
  ///
  /// - Precondition: the entity is one of the store's.
  public func changes<E: Entity>(of type: E.Type, _ id: E.ID) -> Signal<EntityChanges<E>> {
    let id = E.schema.stored(id)
    return changes(type, following: .object(id)) { $0.id == id }
  }

  /// The changes of the objects that meet a condition before or after a commit.
  ///
  ///     store.changes(of: Car.self) { $0.year.in(1960...1969) }
  ///
  /// An attribute that the condition compares with a value, a list or a range finds the subscription,
  /// so that thousands cost a commit nothing. An object that comes to meet the condition, or no
  /// longer does, is told as what the commit did to it: usually an update. What others have committed
  /// and the storage's log doesn't know isn't told, as with ``Store/changes(of:)``.
  ///
  /// - Precondition: the entity is one of the store's, and the condition reads attributes of the object
  ///   itself only; a model follows conditions on related objects.
  public func changes<E: Entity>(
    of type: E.Type, @ConditionBuilder<E> where condition: (Row<E, E>) -> Condition<E>
  ) -> Signal<EntityChanges<E>> {
    let expression = condition(Row(steps: [])).expression
    let meets = CompiledCondition<E>(expression)
    let followed = WatchedPredicate(expression).map(ChangeLease.Followed.guarded) ?? .entity
    return changes(type, following: followed) { meets($0.old) || meets($0.new) }
  }

  /// Each subscription has a relay of its own, which the store owns until it is cancelled.
  private func changes<E: Entity>(
    _ type: E.Type, following followed: ChangeLease.Followed,
    where belongs: @escaping @Sendable (ObjectChange) -> Bool
  ) -> Signal<EntityChanges<E>> {
    mustHold(
      entities.contains(E.schema.entity),
      "\(E.entityName) is not among the entities of this store, so nothing of it ever changes; open "
        + "the store with \(E.entityName).self too")
    return .deferred { [weak self] in
      // A relay that has gone gives nothing but its end.
      guard let self else { return Relay<EntityChanges<E>>().signal }
      let source = ChangeSource<E>(belongs)
      // Between two commits, so that the subscription gets all of the next one.
      let lease = self.publishing.withLock { _ in
        ChangeLease(self, source, E.schema.entity, followed)
      }
      return source.relay.map { changes in withExtendedLifetime(lease) { changes } }
    }
  }
}

/// Sends the changes of one entity that belong to a subscription.
private final class ChangeSource<E: Entity>: CommitObserver {
  let relay = Relay<EntityChanges<E>>()
  private let belongs: @Sendable (ObjectChange) -> Bool

  init(_ belongs: @escaping @Sendable (ObjectChange) -> Bool) { self.belongs = belongs }

  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    let changes = commit.changes(of: E.self, where: belongs)
    if changes.isEmpty { return nil }
    let relay = relay
    return PreparedDelivery(queue: nil, install: {}, show: {}, tell: { relay.send(changes) })
  }
}

/// A subscription's entry in the store, which ends with the subscription.
private final class ChangeLease: Sendable {
  enum Followed: Sendable {
    case entity
    case object(StoredValue)
    case guarded(WatchedPredicate)
  }

  private weak let store: Store?
  private let entry: ObserverRegistry.Entry
  private let entity: EntityDescription
  private let followed: Followed

  init(
    _ store: Store, _ source: any CommitObserver, _ entity: EntityDescription, _ followed: Followed
  ) {
    self.store = store
    self.entity = entity
    self.followed = followed
    entry = store.registry.withLock { registry in
      let entry = registry.makeEntry(source)
      switch followed {
      case .entity: registry.follow(CollectionOfOne(entity), with: entry)
      case .object(let id): registry.follow(entity, id: id, with: entry)
      case .guarded(let watched): registry.follow(entity, watched, with: entry)
      }
      registry.keep(source, for: entry)
      return entry
    }
  }

  deinit {
    // What is let go of is handed out, so that nothing is freed under the lock.
    let source = store?.registry.withLock { registry in
      switch followed {
      case .entity: registry.unfollow(CollectionOfOne(entity), with: entry)
      case .object(let id): registry.unfollow(entity, id: id, with: entry)
      case .guarded: registry.unfollowGuard(of: entry)
      }
      return registry.letGo(of: entry)
    }
    _ = source
  }
}
