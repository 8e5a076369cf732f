@_spi(Storage) internal import EntityStore
internal import Locking
internal import Relays

/// A follower that keeps one object up to date, and shows it in one delivery context.
///
/// It isn't generic over the entity; `ObservedEntity` is its typed wrapper.
final class EntityFollower: ObservingFollower {
  typealias Value = EntityContent

  struct Details: FollowerDetails {
    /// True if the last commit couldn't be read, so that the newest content may be older.
    var isStale = false
    /// The related objects of which any value is shown.
    var watched: [EntityPlan.Watched]
    let registration: ObserverRegistration
  }

  let core: FollowerCore<EntityContent, Details>
  let plan: EntityPlan
  private let id: StoredValue
  /// The version at which the object was first read.
  private let readVersion = AtomicWord(0)
  private let observed = ObservedPlace()
  let sendEvent: @Sendable (PendingChanges<EntityContent>.Event) -> Void
  let sendError: @Sendable (any Error) -> Void

  /// Registers the follower and reads the object between two commits.
  ///
  /// A read by id is short enough to delay a commit for it. It throws `StoreError.notFound` if the
  /// object doesn't exist and `mayBeAbsent` is false.
  init(
    _ id: StoredValue, _ plan: EntityPlan, in store: Store, delivery: Delivery,
    policy: DeliveryPolicy?, mayBeAbsent: Bool,
    event: @escaping @Sendable (PendingChanges<EntityContent>.Event) -> Void,
    error: @escaping @Sendable (any Error) -> Void
  ) throws {
    self.id = id
    self.plan = plan
    sendEvent = event
    sendError = error
    core = FollowerCore(in: store, delivery: delivery)
    core.register(self, delivery, policy)
    try store.observeReading(self) { registration in
      let (content, watched) = try store.readFirst { reader in
        readVersion.store(Int(reader.version))
        return try read(try reader.row(of: plan.entity, id: id), nil, reading: reader)
      }
      if !mayBeAbsent && content.state == .absent {
        throw StoreError.notFound(ObjectID(entityName: plan.entity.name, id: id))
      }
      registration.follow(plan.computedEntities)
      follow(watched, registration)
      core.begin(content, Details(watched: watched, registration: registration))
    }
  }

  /// The shown content.
  ///
  /// - Precondition: `end()` hasn't been called.
  var shown: EntityContent {
    noteRead()
    return shownUnnoted
  }

  /// The shown content, read without registering the read for observation.
  ///
  /// - Precondition: `end()` hasn't been called.
  var shownUnnoted: EntityContent {
    core.withState { $0.pending.shown }
  }

  func noteRead() { observed.access() }

  func noteChange() { observed.hasChanged() }

  // MARK: Commits

  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    // Commits are processed one at a time, and nothing else changes these values.
    let last = core.change { state in
      (state.pending.newest, state.details.isStale, state.details.watched)
    }
    // An external commit may have been read before it is merged.
    guard let (newest, isStale, watched) = last, commit.version > readVersion.load() else {
      return nil
    }
    let (version, versions) = (commit.version, commit.versions)
    let isUnknown = isStale || commit.followsUnknown
    let change = commit.changes[plan.entity]?[id]
    let isWatched = watched.contains { $0.isChanged(by: commit.changes) }
    // A deleted object stays deleted, whatever refers to it.
    let object = newest.state == .live ? newest.row?.row : nil
    do {
      guard
        try isUnknown || change != nil || isWatched
          || object.map({ try plan.mayBeAffected($0, by: commit, reading: reader) }) ?? false
      else { return nil }
      let row: EntityRow? =
        if isUnknown {
          try reader.row(of: plan.entity, id: id)
        } else if let change {
          change.new
        } else {
          object
        }
      let (content, next) = try read(row, newest.row, reading: reader)
      // A reference to a missing object shows nothing, but the object has to be watched.
      let news = isStale || content.differs(from: newest) ? content : nil
      // An object reached through another reference may show other attributes.
      let changed = next == watched ? nil : next
      if news == nil && changed == nil { return nil }
      return PreparedDelivery { [self] in
        if isStale { registration?.follow(plan.computedEntities) }
        if let changed { watch(changed) }
        guard let news else { return [] }
        return install { state, turn in
          state.details.isStale = false
          return PendingChange(turn: turn, versions: versions, after: news, touched: .none)
        }
      }
    } catch {
      return PreparedDelivery { [self] in
        // The current references of the object aren't known, so all entities that may matter are
        // followed.
        registration?.follow(plan.entities)
        return install { state, turn in
          state.details.isStale = true
          return PendingChange(turn: turn, error, version: version)
        }
      }
    }
  }

  /// Returns the content for an object's row, or for a missing row, and the other objects to watch.
  private func read(
    _ row: EntityRow?, _ last: ResultRow?, reading reader: any StorageReader
  ) throws -> (content: EntityContent, watched: [EntityPlan.Watched]) {
    guard let row else {
      let state = last == nil ? ObservedEntityState.absent : .deleted
      return (EntityContent(row: last, state: state), [])
    }
    let (result, watched) = try plan.read(row, reading: reader)
    return (EntityContent(row: result, state: .live), watched)
  }

  /// Watches these objects in addition to the observed one, and stops watching all others.
  private func watch(_ watched: [EntityPlan.Watched]) {
    guard let registration else { return }
    follow(watched, registration)
    core.change { $0.details.watched = watched }
  }

  private func follow(_ watched: [EntityPlan.Watched], _ registration: ObserverRegistration) {
    registration.follow([(plan.entity, id)] + watched.map { ($0.entity, $0.id) })
  }

  private var registration: ObserverRegistration? { core.change { $0.details.registration } }
}
