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
