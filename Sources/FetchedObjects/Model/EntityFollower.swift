internal import EntityStore
internal import Locking
internal import Relays

extension EntityContent: TimelineValue {}

/// Keeps one object up to date, and shows it in one place.
///
/// It knows no entity type; `ObservedEntity` is its typed face.
final class EntityFollower: CommitObserver, CommitListener {
  private struct State: Sendable {
    /// Nil until the object has been read, and when it is followed no longer.
    var timeline: Timeline<EntityContent>?
    /// Whether the last commit couldn't be read, so that the newest content may be older.
    var isStale = false
    /// The related objects of which anything is shown.
    var watched: [EntityPlan.Watched] = []
    var observation: Observation?
    /// Its turn in its place.
    var entry: ListenerEntry?
  }

  let plan: EntityPlan
  private let id: StoredValue
  private let store: Store
  private let state = Locked(State())
  /// The version at which the object was first read.
  private let readVersion = AtomicWord(0)
  private let observed = ObservedPlace()
  private let tellEvent: @Sendable (Timeline<EntityContent>.Event) -> Void
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
    event: @escaping @Sendable (Timeline<EntityContent>.Event) -> Void,
    error: @escaping @Sendable (any Error) -> Void
  ) throws {
    self.id = id
    self.plan = plan
    tellEvent = event
    tellError = error
    self.store = store
    let entry = ListenerEntry(self, delivery, policy, in: store)
    try store.observe(self) { observation in
      let (content, watched) = try store.readFirst { reader in
        readVersion.store(Int(reader.version))
        return try read(try reader.row(of: plan.entity, id: id), nil, reading: reader)
      }
      if !mayBeAbsent && content.state == .absent {
        throw StoreError.notFound(ObjectID(entityName: plan.entity.name, id: id))
      }
      follow(watched, observation)
      state.withLock {
        $0 = State(
          timeline: Timeline(content), watched: watched,
          observation: observation, entry: entry)
      }
    }
  }

  /// Follows no longer, and calls nobody any more.
  ///
  /// A running commit may hold this for a while yet.
  func end() {
    // Handed out, so that nothing is freed under the lock.
    let last = state.withLock { state in
      let last = state
      state = State()
      return last
    }
    withExtendedLifetime(last) {}
  }

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
    guard let shown = state.withLock({ $0.timeline?.shown }) else {
      preconditionFailure("An object is read after it has gone")
    }
    return shown
  }

  /// The last error, until the object could be read again.
  var error: (any Error)? {
    observed.access()
    return state.withLock { $0.timeline?.error }
  }

  // MARK: What commits bring

  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    // Commits come one by one, and nothing else changes these.
    let (last, watched) = state.withLock { state in
      (state.timeline.map { (newest: $0.newest, isStale: state.isStale) }, state.watched)
    }
    // What others have committed may have been read before it is taken in.
    guard let (newest, isStale) = last, commit.version > readVersion.load() else { return nil }
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
        if isStale { state.withLock { $0.observation }?.follow(Set<EntityDescription>()) }
        if let changed { watch(changed) }
        guard let news else { return [] }
        return append(isStale: false) { turn in
          TimelineStep(turn: turn, versions: versions, after: news, touched: .none)
        }
      }
    } catch {
      return PreparedDelivery { [self] in
        // It isn't known what the object refers to now, so everything that may matter is followed.
        state.withLock { $0.observation }?.follow(plan.entities)
        return append(isStale: true) { TimelineStep(turn: $0, error, version: version) }
      }
    }
  }

  func prepare(_ error: any Error, after version: Int64) -> PreparedDelivery? {
    PreparedDelivery { [self] in
      append { TimelineStep(turn: $0, error, version: nil) }
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
    guard let observation = state.withLock({ $0.observation }) else { return }
    follow(watched, observation)
    state.withLock { $0.watched = watched }
  }

  private func follow(_ watched: [EntityPlan.Watched], _ observation: Observation) {
    observation.follow([(plan.entity, id)] + watched.map { ($0.entity, $0.id) })
  }

  /// Takes in what a commit brings, or an error that leaves the content as fresh as it was.
  private func append(
    isStale: Bool? = nil, _ step: (Int) -> TimelineStep<EntityContent>
  ) -> [ConcernedListener] {
    guard let entry = state.withLock({ $0.entry }) else { return [] }
    let isGone = entry.place.isGone
    let turns = entry.place.turns
    let (hasNews, leftOut) = state.withLock { state in
      if isGone {
        state.timeline?.dropWaiting()
        return (false, state.timeline?.takeLeftOut() ?? [])
      }
      if let isStale { state.isStale = isStale }
      let hasNews = state.timeline?.append(step(turns.next), ended: turns.ended) ?? false
      return (hasNews, state.timeline?.takeLeftOut() ?? [])
    }
    if !hasNews && leftOut.isEmpty { return [] }
    return [ConcernedListener(hasNews ? entry : nil, self, freeing: leftOut)]
  }

  // MARK: Showing and telling

  func show(_ turn: Int) {
    // What is left out is freed when the lock is gone.
    let left = state.withLock { state in
      (state.timeline?.show(turn), state.timeline?.takeLeftOut())
    }
    withExtendedLifetime(left) {}
  }

  func tell() {
    while let news = state.withLock({ $0.timeline?.popNews() }) {
      switch news {
      case .event(let event):
        // Merged commits may have led back to the same value.
        let isChange = event.after.differs(from: event.before)
        if !isChange && !event.endsError { continue }
        // Only now, when everything in the place shows the commit: this may call anyone.
        observed.hasChanged()
        if isChange { tellEvent(event) }
      case .error(let error):
        observed.hasChanged()
        tellError(error)
      }
    }
  }

  /// Keeps what is shown until `resume()`.
  func pause() { state.withLock { $0.timeline?.pause() } }

  /// Shows and tells what has come meanwhile, in its place, as one event.
  func resume() {
    guard let entry = state.withLock({ $0.entry }) else { return }
    var leftOut: [any Sendable] = []
    store.takeTurn(entry) {
      let turns = entry.place.turns
      return state.withLock { state in
        let hasNews = state.timeline?.resume(turn: turns.next) ?? false
        leftOut = state.timeline?.takeLeftOut() ?? []
        return hasNews
      }
    }.deliver()
    withExtendedLifetime(leftOut) {}
  }
}

/// An observed object in one version.
struct EntityContent: Sendable {
  /// The object, or as it was last; nil if it has never been there.
  let row: ResultRow?
  let state: ObservedEntityState

  func differs(from other: EntityContent) -> Bool {
    if state != other.state { return true }
    guard let row, let old = other.row else { return false }
    return row.differs(from: old)
  }
}
