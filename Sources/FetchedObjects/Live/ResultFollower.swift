@_spi(Storage) internal import EntityStore
internal import Locking
internal import Relays

extension ResultView: PendingValue {}

typealias ResultEvent = PendingChanges<ResultView>.Event

/// A follower of a query's result, or of a window of it.
///
/// `setQuery` changes the query.
final class ResultFollower: Follower {
  struct Details: FollowerDetails {
    var live: LiveResult
    var window: ResultWindow?
  }

  let core: FollowerCore<ResultView, Details>
  /// A lock that is held while another query or window is set.
  let requests = Locked(())
  private let receiver: any EventReceiver<ResultView>

  /// Fetches the result of a query, or uses the result that another model has.
  ///
  /// `receiver` takes each event twice, when it is shown and in its turn, and each error.
  init(
    _ query: QueryDescription, in store: Store, delivery: Delivery, policy: DeliveryPolicy?,
    _ receiver: some EventReceiver<ResultView>
  ) throws {
    self.receiver = receiver
    core = FollowerCore(in: store, delivery: delivery)
    core.register(self, delivery, policy)
    _ = try join(query) { live, newest, window in
      core.begin(ResultView(newest, window), Details(live: live, window: window))
      return false
    }
  }

  deinit { core.change { $0.details.live }?.core.leave(entry) }

  func didShow(_ event: ResultEvent) { receiver.show(event) }

  func deliver(_ event: ResultEvent) { receiver.deliver(event) }

  func drop(_ event: ResultEvent) { receiver.drop(event) }

  func deliver(_ error: any Error) { receiver.deliver(error) }

  var store: Store { core.store }

  var subscriptionCount: Int { receiver.subscriptionCount }

  var work: ResultWork { core.withState { $0.details.live }.work }

  /// Returns the number of rows of a result, from its first or its last one, that the window needs
  /// now; 0 if another result is followed.
  func shownCount(of live: LiveResult) -> Int {
    let end = core.change { $0.details.live === live ? $0.details.window?.end : nil }
    return end.flatMap { $0 } ?? 0
  }

  // MARK: Commits

  /// Adds a new result to the pending changes, unless it belongs to a query that has been replaced.
  ///
  /// If `isShown` is false, only rows have changed that no window of the result shows.
  func append(_ step: ResultStep, isShown: Bool = true, from live: LiveResult) -> Bool {
    core.append { state, turn in
      // A step that waits is joined with this one even if this one isn't shown. The value that is
      // shown until then is older, and may have the changed rows.
      guard state.details.live === live, isShown || state.pending.waitingCount > 0 else {
        return nil
      }
      let window = state.details.window?.moved(to: step.after)
      state.details.window = window
      return PendingChange(
        turn: turn, versions: step.versions, after: ResultView(step.after, window),
        touched: step.touched, isReread: step.isReread)
    }
  }

  /// Adds an error to the pending changes, unless it belongs to a query that has been replaced.
  func append(_ error: any Error, version: Int64?, from live: LiveResult) -> Bool {
    core.append { state, turn in
      state.details.live === live ? PendingChange(turn: turn, error, version: version) : nil
    }
  }

  // MARK: Results

  /// A result to follow.
  struct Target {
    let live: LiveResult
    /// The window to show, if the result itself isn't a window.
    ///
    /// A commit may have moved it since, if it stays around a row.
    var window: ResultWindow?
  }

  /// Joins the result of a query, and returns the queue to run when no lock is held, or nil.
  ///
  /// The result is `first` if it has been read already. `current` is the one that the follower
  /// shows. `merge` gets the version of the result before it is joined. Then the result calls
  /// `begin` with its newest snapshot and with the window of it to show. `begin` returns true if
  /// there is something to show.
  func join(
    _ query: QueryDescription, around anchor: WindowAnchor? = nil, first: Target? = nil,
    after current: LiveResult? = nil, merging merge: (Int64) throws -> Void = { _ in },
    _ begin: (LiveResult, ResultSnapshot, ResultWindow?) -> Bool
  ) throws -> DeliveryQueue? {
    try ReleasePool.open {
      try joinAny(query, around: anchor, first: first, after: current, merging: merge, begin)
    }
  }

  private func joinAny(
    _ query: QueryDescription, around anchor: WindowAnchor?, first: Target?,
    after current: LiveResult?, merging merge: (Int64) throws -> Void,
    _ begin: (LiveResult, ResultSnapshot, ResultWindow?) -> Bool
  ) throws -> DeliveryQueue? {
    let entry = entry
    var next = first
    while true {
      let target = try next ?? result(of: query, around: anchor, after: current)
      next = nil
      let live = target.live
      // If it can't be joined, this may be the last reference to it.
      ReleasePool.add(live)
      try merge(live.newestVersion)
      var hasJoined = false
      let turn = store.takeTurn(entry) {
        var hasNews = false
        hasJoined = live.join(self, entry, again: live === current) { newest, own in
          hasNews = begin(live, newest, own ?? target.window?.moved(to: newest))
        }
        return hasNews
      }
      // If the follower hasn't joined, a commit or a row just couldn't be read. The result is then
      // read again, with that commit and all others.
      if hasJoined { return turn }
    }
  }

  /// Returns the result for a query, for a follower that shows `current`.
  ///
  /// If the window stays around an anchor, the query has no window. `StoreError.notFound` is thrown
  /// if the result doesn't have the anchor.
  func result(
    of query: QueryDescription, around anchor: WindowAnchor? = nil, after current: LiveResult? = nil
  ) throws -> Target {
    let results = LiveResults.of(store)
    if let anchor {
      if let near = try results.rows(around: anchor, of: query, in: store) {
        return Target(live: near)
      }
      let live = try results.result(of: query, in: store)
      // It may be dropped here, together with all that its rows hold.
      ReleasePool.add(live)
      guard let newest = live.newest, newest.row(anchor.id) != nil else {
        throw StoreError.notFound(ObjectID(entityName: query.entity.name, id: anchor.id))
      }
      return Target(live: live, window: ResultWindow(anchor, in: newest))
    }
    // A window of a result that changes with time is a range of all rows.
    if let window = ResultWindow(query), query.aggregated.isEmpty, !query.isTimed {
      do {
        if let near = try results.rows(near: window, of: query, after: current, in: store) {
          return Target(live: near, window: window)
        }
      } catch let error as StoreError where error.isOfOneRow {
        // The window may not show that row. With an index, no other row is read.
      }
      do {
        return Target(live: try results.result(of: query, in: store))
      } catch StoreError.rowNumbersUnsupported, StoreError.notIndexable {
        // The storage can't give the order without the objects, so the result keeps all rows.
      }
    }
    return Target(
      live: try results.result(of: query.unlimited, in: store), window: ResultWindow(query))
  }
}
