internal import EntityStore
internal import ListDiffing
internal import Locking
internal import Relays

extension IndexSnapshot: PendingValue {
  typealias Touched = IndexDelta
}

typealias IndexEvent = PendingChanges<IndexSnapshot>.Event

/// Follows an index-only result, and reads its objects.
final class IndexFollower: Follower {
  struct Details: Sendable {
    let live: LiveIndex
    /// What the steps that wait come to, until there is another one.
    var ahead: IndexAhead?

    /// Forgets what the steps that wait come to.
    mutating func forgetAhead() {
      if let ahead = ahead.take() { ReleasePool.add(ahead) }
    }
  }

  let core: FollowerCore<IndexSnapshot, Details>
  /// The rows that were read last, by their numbers.
  let cache: SharedObjectCache<Int64, ResultRow>
  private let showEvent: @Sendable (IndexEvent) -> Void
  private let tellEvent: @Sendable (IndexEvent) -> Void
  private let tellError: @Sendable (any Error) -> Void

  /// Fetches the result of a query, or takes the one that another model has.
  ///
  /// It calls `event` with each event and `error` with each error, in the delivery context; and
  /// `shown` with each event before that, once it is shown and before any callback runs there.
  ///
  /// - Throws: what fetching throws.
  init(
    _ query: QueryDescription, in store: Store, delivery: Delivery, policy: DeliveryPolicy?,
    cacheCapacity: Int, shown: @escaping @Sendable (IndexEvent) -> Void,
    event: @escaping @Sendable (IndexEvent) -> Void,
    error: @escaping @Sendable (any Error) -> Void
  ) throws {
    showEvent = shown
    tellEvent = event
    tellError = error
    cache = SharedObjectCache(capacity: cacheCapacity)
    // The rows that are shown for good can still be read by what has become of them.
    core = FollowerCore(in: store, delivery: delivery, joinsAfterEnd: true)
    core.register(self, delivery, policy)
    let entry = entry
    var hasJoined = false
    while !hasJoined {
      let live = try LiveIndexes.of(store).result(of: query, in: store)
      _ = store.takeTurn(entry) {
        // Otherwise a commit couldn't be read just now, and it is read with all others.
        hasJoined = live.join(self, entry) { core.begin($0, Details(live: live)) }
        return false
      }
    }
  }

  deinit { core.change { $0.details.live }?.core.leave(entry) }

  var store: Store { core.store }

  /// The result that it follows.
  var live: LiveIndex { core.withState { $0.details.live } }

  /// What is shown, and what is known to have happened to it since.
  var ahead: IndexAhead {
    // What turns out to be the last hold of something is released when the lock is.
    ReleasePool.open {
      core.withState { state in
        if let ahead = state.details.ahead { return ahead }
        var delta: IndexDelta?
        for difference in state.pending.waitingDifferences {
          if delta == nil { delta = difference } else { delta?.formUnion(difference) }
        }
        let ahead = IndexAhead(shown: state.pending.shown, step: delta?.step)
        state.details.ahead = ahead
        return ahead
      }
    }
  }

  // MARK: What commits bring

  /// Adds a step to what waits.
  ///
  /// - Returns: Whether there is something to deliver.
  func append(_ step: IndexStep, _ versions: ClosedRange<Int64>) -> Bool {
    cache.forget(step.numbers)
    return core.append { state, turn in
      state.details.forgetAhead()
      return PendingChange(
        turn: turn, versions: versions, after: step.after, touched: IndexDelta(step))
    }
  }

  /// Adds an error to what waits.
  ///
  /// - Returns: Whether there is something to deliver.
  func append(_ error: any Error, version: Int64?) -> Bool {
    cache.forget(nil)
    return core.append { _, turn in PendingChange(turn: turn, error, version: version) }
  }

  func show(_ turn: Int) {
    let event = core.change { state in
      state.details.forgetAhead()
      return state.pending.show(turn)
    }
    if let event = event ?? nil { showEvent(event) }
  }

  func deliver(_ event: IndexEvent) {
    cache.release()
    tellEvent(event)
  }

  func deliver(_ error: any Error) {
    cache.release()
    tellError(error)
  }

  /// Shows and delivers what has come meanwhile, in its delivery context, as one event.
  func resume() {
    core.takeTurn { turn in
      core.withState { state in
        state.details.forgetAhead()
        return state.pending.resume(turn: turn)
      }
    }
  }
}

/// A shown result, and what is known to have happened to it since.
final class IndexAhead: Sendable {
  let shown: IndexSnapshot
  /// Nil if nothing has.
  let step: IndexStep?
  /// What has happened, as far as it is known, by the ids of objects.
  let candidates: [StoredValue: IndexCandidate]
  /// The objects of rows that are shown and may have another number by now.
  let idsByPath: [ListPath: StoredValue]
  /// Where all other rows are now, if they have other numbers.
  private let nowAt: UntouchedPaths?

  init(shown: IndexSnapshot, step: IndexStep?) {
    self.shown = shown
    self.step = step
    var candidates: [StoredValue: IndexCandidate] = [:]
    var ids: [ListPath: StoredValue] = [:]
    for candidate in step?.candidates ?? [] {
      candidates[candidate.id] = candidate
      if let path = candidate.old?.path { ids[path] = candidate.id }
    }
    self.candidates = candidates
    idsByPath = ids
    nowAt = step.flatMap { $0.candidates == nil || $0.keepsNumbers ? nil : $0.untouchedPaths }
  }

  /// The number under which the row at a path that is shown is read, if it isn't read by its id.
  func number(at path: ListPath) -> Int64 {
    guard let nowAt, let step, let now = nowAt[path], step.after.contains(now) else {
      return shown.number(at: path)
    }
    return step.after.number(at: now)
  }

  /// The number that the row at a path has in a result in which all rows that aren't known to be touched have
  /// kept their order; nil if there is none.
  func number(at path: ListPath, in whole: IndexSnapshot) -> Int64? {
    let now = step.map { $0.untouchedPaths[path] } ?? path
    guard let now, whole.contains(now) else { return nil }
    return whole.number(at: now)
  }

  /// Where a row is shown that isn't among the candidates and stands at a path of the newest result.
  func shownPath(ofPathNow path: ListPath) -> ListPath? {
    guard let step, let candidates = step.candidates else { return path }
    let back = UntouchedPaths(
      from: step.after, touched: candidates.compactMap(\.new?.path),
      to: step.before, touched: candidates.compactMap(\.old?.path))
    return back[path]
  }

  /// Whether nothing is known of a part of what has happened, but for the objects that are in
  /// `renumbered`.
  var isUnknown: Bool { step.map { $0.candidates == nil } ?? false }

  var renumbered: Renumbered { step?.renumbered ?? Renumbered() }

  /// The rows that are shown and may have another content by now, by their numbers.
  var touchedRows: [(Int64, ResultRow)] {
    candidates.values.compactMap { candidate in
      candidate.old.map { (shown.number(at: $0.path), $0.row) }
    }
  }
}
