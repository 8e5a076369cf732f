internal import Locking
public import Relays

extension Store {
  /// Returns a signal of the changes in each commit that concerns an entity.
  ///
  ///     let token = store.changes(of: Car.self).subscribe { print($0.inserted, $0.updated) }
  ///
  /// It delivers on the thread that delivers the commit, together with `commits`. A commit costs
  /// time only for the subscriptions that it concerns, however many others there are.
  ///
  /// If the change log doesn't have all external commits (``Commit/isComplete`` is false), their
  /// changes aren't delivered here. Watch ``Store/commits`` for such a commit and read again, or
  /// use a model.
  ///
  /// - Precondition: the entity is one of the store's.
  public func changes<E: Entity>(of type: E.Type) -> Signal<EntityChanges<E>> {
    changes(type, following: .entity) { $0.sorted }
  }

  /// Returns a signal of the changes of one object.
  ///
  /// External changes that aren't in the change log aren't delivered, as with
  /// ``Store/changes(of:)``.
  ///
  /// - Precondition: the entity is one of the store's.
  public func changes<E: Entity>(of type: E.Type, _ id: E.ID) -> Signal<EntityChanges<E>> {
    let id = E.schema.stored(id)
    return changes(type, following: .object(id)) { table in table[id].map { [$0] } ?? [] }
  }

  /// Returns a signal of the changes of objects that meet a condition before or after a commit.
  ///
  ///     store.changes(of: Car.self) { $0.year.in(1960...1969) }
  ///
  /// If the condition compares an attribute with a value, a list or a range, or names a `Bool`
  /// (`!$0.isSold`), a commit finds its subscriptions by the attribute's values. So thousands of
  /// other subscriptions cost it nothing. With another condition, such as `$0.year != 1970`, each
  /// changed object is checked.
  ///
  /// An object that begins or ceases to meet the condition is reported as what the commit did to
  /// it, usually as an update. External changes that aren't in the change log aren't delivered, as
  /// with ``Store/changes(of:)``.
  ///
  /// - Precondition: the entity is one of the store's, and the condition reads only attributes of
  ///   the object itself. For conditions on related objects, use a model.
  public func changes<E: Entity>(
    of type: E.Type, @Condition<E>.Builder where condition: (Row<E, E>) -> Condition<E>
  ) -> Signal<EntityChanges<E>> {
    let expression = condition(Row(steps: [])).expression
    mustHold(
      !expression.isTimed,
      "Changes are those of commits, and \(expression) also changes with time; use a "
        + "FetchedObjectsModel")
    let meets = CompiledCondition<E>(expression)
    let followed = WatchedPredicate(expression).map(ChangeLease.Followed.predicate) ?? .entity
    return changes(type, following: followed) { table in
      // Few of the changes may belong to the subscription, so all aren't sorted.
      table.all.filter { meets($0.old) || meets($0.new) }.sorted { $0.id < $1.id }
    }
  }

  /// Returns a signal that gives each subscription its own relay.
  ///
  /// The store owns the relay until the subscription is cancelled. `select` returns the changes of
  /// a commit that belong to the subscription, in the order of ids.
  private func changes<E: Entity>(
    _ type: E.Type, following followed: ChangeLease.Followed,
    _ select: @escaping @Sendable (TableChanges) -> [ObjectChange]
  ) -> Signal<EntityChanges<E>> {
    mustHold(
      entities.contains(E.schema.entity),
      "\(E.entityName) is not among the entities of this store, so nothing of it ever changes; open "
        + "the store with \(E.entityName).self too")
    return .deferred { [weak self] in
      // The signal of a released relay sends nothing but its end.
      guard let self else { return Relay<EntityChanges<E>>().signal }
      let source = ChangeSource<E>(select)
      // The lease begins between two commits, so that the subscription gets all of the next one.
      let lease = self.publishing.withLock {
        ChangeLease(self, source, E.schema.entity, followed)
      }
      return source.relay.map { changes in withExtendedLifetime(lease) { changes } }
    }
  }
}

/// An observer that sends the changes of one entity that belong to a subscription.
private final class ChangeSource<E: Entity>: CommitObserver {
  let relay = Relay<EntityChanges<E>>()
  private let select: @Sendable (TableChanges) -> [ObjectChange]

  init(_ select: @escaping @Sendable (TableChanges) -> [ObjectChange]) { self.select = select }

  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    let selected = commit.changes[E.schema.entity].map(select) ?? []
    let changes: EntityChanges<E> = commit.changes(selected)
    if changes.isEmpty { return nil }
    let relay = relay
    return PreparedDelivery(.own { relay.send(changes) })
  }
}

/// A subscription's entry in the store, which ends with the subscription.
private final class ChangeLease: Sendable {
  enum Followed: Sendable {
    case entity
    case object(StoredValue)
    case predicate(WatchedPredicate)
  }

  private weak let store: Store?
  private let entry: ObserverRegistry.Entry
  private let entity: EntityDescription
  private let followed: Followed
  /// The number of the predicate, if one is followed.
  private let predicateNumber: Int?

  init(
    _ store: Store, _ source: any CommitObserver, _ entity: EntityDescription, _ followed: Followed
  ) {
    self.store = store
    self.entity = entity
    self.followed = followed
    (entry, predicateNumber) = store.registry.withLock { registry in
      let entry = registry.makeEntry(source)
      var number: Int?
      switch followed {
      case .entity: registry.follow(CollectionOfOne(entity), with: entry)
      case .object(let id): registry.follow(entity, id: id, with: entry)
      case .predicate(let predicate): number = registry.follow(entity, predicate, with: entry)
      }
      registry.keep(source, for: entry)
      return (entry, number)
    }
  }

  deinit {
    // The source is returned from the closure, so that nothing is freed under the lock.
    let source = store?.registry.withLock { registry in
      switch followed {
      case .entity: registry.unfollow(CollectionOfOne(entity), with: entry)
      case .object(let id): registry.unfollow(entity, id: id, with: entry)
      case .predicate: if let predicateNumber { registry.unfollow(predicate: predicateNumber) }
      }
      return registry.letGo(of: entry)
    }
    _ = source
  }
}
