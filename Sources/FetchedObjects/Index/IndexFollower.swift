@_spi(Storage) internal import EntityStore
internal import Locking
internal import Relays

typealias IndexEvent = PendingChanges<IndexView>.Event

/// A follower of an index-only result, or of a window of it, which also reads its objects.
final class IndexFollower: Follower {
  struct Details: FollowerDetails {
    var live: LiveIndex
    /// The combined pending steps; nil until they are needed again after a new step.
    var ahead: IndexAhead?

    mutating func pendingWillChange() {
      if let ahead = ahead.take() { ReleasePool.add(ahead) }
    }
  }

  let core: FollowerCore<IndexView, Details>
  /// A lock that is held while another query or window is set.
  let requests = Locked(())
  /// The most recently read rows of the shown query, by their numbers.
  let cache: SharedObjectCache<Int64, ResultRow>
  private let receiver: any EventReceiver<IndexView>

  /// Fetches the result of a query, or uses the result that another model has.
  ///
  /// `receiver` takes each event twice, when it is shown and in its turn, and each error.
  init(
    _ query: QueryDescription, in store: Store, delivery: Delivery, policy: DeliveryPolicy?,
    cacheCapacity: Int, _ receiver: some EventReceiver<IndexView>
  ) throws {
    Self.check(query)
    self.receiver = receiver
    cache = SharedObjectCache(capacity: cacheCapacity)
    // After the delivery context has ended, the shown rows can still be read, because pending
    // changes are merged and not dropped.
    core = FollowerCore(in: store, delivery: delivery, joinsAfterEnd: true)
    core.register(self, delivery, policy)
    let entry = entry
    let window = ResultWindow(query)
    var hasJoined = false
    while !hasJoined {
      let live = try LiveIndexes.of(store).result(of: query.unlimited, in: store)
      _ = store.takeTurn(entry) {
        // If the follower hasn't joined, a commit just couldn't be read. The result is then read
        // again, with that commit and all others.
        hasJoined = live.join(self, entry) {
          core.begin(IndexView($0, window), Details(live: live))
        }
        return false
      }
    }
  }

  deinit { core.change { $0.details.live }?.core.leave(entry) }

  var subscriptionCount: Int { receiver.subscriptionCount }

  /// Checks that an index-only result can follow a query.
  static func check(_ query: QueryDescription) {
    mustHold(
      !query.isTimed,
      "An index-only result can't follow conditions of time; use a FetchedObjectsModel")
  }

  var store: Store { core.store }

  /// The result that this follower follows.
  var live: LiveIndex { core.withState { $0.details.live } }

  /// The shown result, and the known changes to it since.
  var ahead: IndexAhead {
    // If a last reference is dropped here, the object is released after the lock.
    ReleasePool.open {
      core.withState { state in
        if let ahead = state.details.ahead { return ahead }
        var delta: IndexDelta?
        for touched in state.pending.waitingTouched {
          if delta == nil { delta = touched } else { delta?.formUnion(touched) }
        }
        let ahead = IndexAhead(view: state.pending.shown, step: delta?.step)
        state.details.ahead = ahead
        return ahead
      }
    }
  }

  // MARK: Commits

  /// Adds a step to the pending changes, unless it belongs to a query that has been replaced.
  func append(
    _ step: IndexStep, _ versions: ClosedRange<Int64>, from live: LiveIndex
  ) -> Bool {
    cache.forget(step.numbers)
    return core.append { state, turn in
      guard state.details.live === live else { return nil }
      let window = state.pending.newest.window
      return PendingChange(
        turn: turn, versions: versions, after: IndexView(step.after, window),
        touched: IndexDelta(step))
    }
  }

  /// Adds an error to the pending changes, unless it belongs to a query that has been replaced.
  func append(_ error: any Error, version: Int64?, from live: LiveIndex) -> Bool {
    cache.forget(nil)
    return core.append { state, turn in
      state.details.live === live ? PendingChange(turn: turn, error, version: version) : nil
    }
  }

  func didShow(_ event: IndexEvent) {
    // The kept rows have the values that the previous query includes.
    if event.before.plan !== event.after.plan { cache.forget(nil) }
    receiver.show(event)
  }

  func deliver(_ event: IndexEvent) {
    cache.release()
    receiver.deliver(event)
  }

  func drop(_ event: IndexEvent) { receiver.drop(event) }

  func deliver(_ error: any Error) {
    cache.release()
    receiver.deliver(error)
  }
}
