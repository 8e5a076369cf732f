internal import EntityStore
internal import Locking
internal import Relays

/// Keeps one object up to date, and shows it in one delivery context.
///
/// It knows no entity type; `ObservedEntity` is its typed face.
final class EntityFollower: CommitObserver, Follower {
  struct Details: Sendable {
    /// Whether the last commit couldn't be read, so that the newest content may be older.
    var isStale = false
    /// The related objects of which anything is shown.
    var watched: [EntityPlan.Watched]
    let observation: Observation
  }

  let core: FollowerCore<EntityContent, Details>
  let plan: EntityPlan
  private let id: StoredValue
  /// The version at which the object was first read.
  private let readVersion = AtomicWord(0)
  private let observed = ObservedPlace()
  private let tellEvent: @Sendable (PendingChanges<EntityContent>.Event) -> Void
  private let tellError: @Sendable (any Error) -> Void

  /// Registers and reads the object between two commits.
  ///
  /// A read by id is short enough to hold up a commit for.
  ///
  /// - Throws: ``/EntityStore/StoreError/notFound(_:)`` if there is no such object and there must be, or what
  ///   reading it throws.
  init(
    _ id: StoredValue, _ plan: EntityPlan, in store: Store, delivery: Delivery,
    policy: DeliveryPolicy?, mayBeAbsent: Bool,
    event: @escaping @Sendable (PendingChanges<EntityContent>.Event) -> Void,
    error: @escaping @Sendable (any Error) -> Void
  ) throws {
    self.id = id
    self.plan = plan
    tellEvent = event
    tellError = error
    core = FollowerCore(in: store, delivery: delivery)
    core.register(self, delivery, policy)
    try store.observe(self) { observation in
      let (content, watched) = try store.readFirst { reader in
        readVersion.store(Int(reader.version))
        return try read(try reader.row(of: plan.entity, id: id), nil, reading: reader)
      }
      if !mayBeAbsent && content.state == .absent {
        throw StoreError.notFound(ObjectID(entityName: plan.entity.name, id: id))
      }
      follow(watched, observation)
      core.begin(content, Details(watched: watched, observation: observation))
    }
  }

  /// Follows no longer, and calls nobody any more.
  ///
  /// A running commit may hold this for a while yet.
  func end() { core.release() }

  /// What is shown now.
  ///
  /// - Precondition: `end()` hasn't been called.
  var shown: EntityContent {
    observed.access()
    return shownUnnoted
  }

  /// What `shown` is, without noting that it is read.
  ///
  /// - Precondition: `end()` hasn't been called.
  var shownUnnoted: EntityContent {
    core.withState { $0.pending.shown }
  }

  /// The last error, until the object could be read again.
  var error: (any Error)? {
    observed.access()
    return core.change { $0.pending.error } ?? nil
  }

  // MARK: What commits bring

  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    // Commits come one by one, and nothing else changes these.
    let last = core.change { state in
      (state.pending.newest, state.details.isStale, state.details.watched)
    }
    // What others have committed may have been read before it is taken in.
    guard let (newest, isStale, watched) = last, commit.version > readVersion.load() else {
      return nil
    }
    let (version, versions) = (commit.version, commit.versions)
    let isUnknown = isStale || commit.followsUnknown
    let change = commit.changes[plan.entity]?[id]
    guard
      isUnknown || change != nil || watched.contains(where: { $0.isChanged(by: commit.changes) })
    else { return nil }
    do {
      let row: EntityRow? =
        if isUnknown {
          try reader.row(of: plan.entity, id: id)
        } else if let change {
          change.new
        } else {
          newest.row?.row
        }
      let (content, next) = try read(row, newest.row, reading: reader)
      // A reference to a missing object shows nothing, but is to be watched.
      let news = isStale || content.differs(from: newest) ? content : nil
      let changed = Self.areSame(next, watched) ? nil : next
      if news == nil && changed == nil { return nil }
      return PreparedDelivery { [self] in
        if isStale { observation?.follow(Set<EntityDescription>()) }
        if let changed { watch(changed) }
        guard let news else { return [] }
        return install { state, turn in
          state.details.isStale = false
          return PendingChange(turn: turn, versions: versions, after: news, touched: .none)
        }
      }
    } catch {
      return PreparedDelivery { [self] in
        // It isn't known what the object refers to now, so everything that may matter is followed.
        observation?.follow(plan.entities)
        return install { state, turn in
          state.details.isStale = true
          return PendingChange(turn: turn, error, version: version)
        }
      }
    }
  }

  func prepare(_ error: any Error, after version: Int64) -> PreparedDelivery? {
    PreparedDelivery { [self] in
      install { _, turn in PendingChange(turn: turn, error, version: nil) }
    }
  }

  /// The content that an object's row makes, if it is there, and what else is to be watched.
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

  private static func areSame(_ a: [EntityPlan.Watched], _ b: [EntityPlan.Watched]) -> Bool {
    // One that comes by another reference may show other attributes.
    a.count == b.count
      && zip(a, b).allSatisfy {
        $0.entity == $1.entity && $0.id == $1.id && $0.columns == $1.columns
      }
  }

  /// Watches these objects besides the observed one, and no others any more.
  private func watch(_ watched: [EntityPlan.Watched]) {
    guard let observation else { return }
    follow(watched, observation)
    core.change { $0.details.watched = watched }
  }

  private func follow(_ watched: [EntityPlan.Watched], _ observation: Observation) {
    observation.follow([(plan.entity, id)] + watched.map { ($0.entity, $0.id) })
  }

  private var observation: Observation? { core.change { $0.details.observation } }

  /// Adds to what waits, unless the object is followed no longer.
  private func install(
    _ change: (inout FollowerCore<EntityContent, Details>.State, _ turn: Int) -> PendingChange<
      EntityContent
    >?
  ) -> ContiguousArray<ListenerEntry> {
    ReleasePool.add(self)
    return core.append(change) ? [core.entry] : []
  }

  // MARK: Delivering

  func deliver(_ event: PendingChanges<EntityContent>.Event) {
    // Merged commits may have led back to the same value.
    let isChange = event.after.differs(from: event.before)
    if !isChange && !event.endsError { return }
    // Only now, when everything in the delivery context shows the commit: this may call anyone.
    observed.hasChanged()
    if isChange { tellEvent(event) }
  }

  func deliver(_ error: any Error) {
    observed.hasChanged()
    tellError(error)
  }
}
