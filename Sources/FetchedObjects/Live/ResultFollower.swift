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
  ///
  /// - Throws: any error of fetching.
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

  func deliver(_ error: any Error) { receiver.deliver(error) }

  var store: Store { core.store }

  /// The work that the result has needed.
  var work: ResultWork { core.withState { $0.details.live }.work }

  // MARK: Commits

  /// Adds a new result to the pending changes, unless it belongs to a query that has been replaced.
  ///
  /// - Returns: true if there is something to deliver.
  func append(_ step: ResultStep, from live: LiveResult) -> Bool {
    core.append { state, turn in
      guard state.details.live === live else { return nil }
      let window = state.details.window?.moved(from: state.pending.newest.base, to: step.after)
      state.details.window = window
      return PendingChange(
        turn: turn, versions: step.versions, after: ResultView(step.after, window),
        touched: step.touched, isReread: step.isReread)
    }
  }

  /// Adds an error to the pending changes, unless it belongs to a query that has been replaced.
  ///
  /// - Returns: true if there is something to deliver.
  func append(_ error: any Error, version: Int64?, from live: LiveResult) -> Bool {
    core.append { state, turn in
      state.details.live === live ? PendingChange(turn: turn, error, version: version) : nil
    }
  }

  // MARK: Results

  /// Joins the result of a query.
  ///
  /// The result calls `begin` with its newest snapshot and with the window of it to show.
  ///
  /// - Parameters:
  ///   - query: the query of the result.
  ///   - current: the result that the follower shows.
  ///   - merge: a closure that is called with the version of the result before it is joined.
  ///   - begin: a closure that gets the result, and returns true if there is something to show.
  /// - Returns: The queue to run when no lock is held, or nil.
  /// - Throws: any error of fetching, or of `merge`.
  func join(
    _ query: QueryDescription, after current: LiveResult? = nil,
    merging merge: (Int64) throws -> Void = { _ in },
    _ begin: (LiveResult, ResultSnapshot, ResultWindow?) -> Bool
  ) throws -> DeliveryQueue? {
    let entry = entry
    while true {
      let (live, window) = try result(of: query, after: current)
      try merge(live.newestVersion)
      var hasJoined = false
      let turn = store.takeTurn(entry) {
        var hasNews = false
        hasJoined = live.join(self, entry) { hasNews = begin(live, $0, window) }
        return hasNews
      }
      // If the follower hasn't joined, a commit just couldn't be read. The result is then read
      // again, with that commit and all others.
      if hasJoined { return turn }
    }
  }

  /// Returns the result for a query, and the window to show of it if the result itself isn't a
  /// window.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - current: the result that the follower shows.
  /// - Returns: the result and the window.
  /// - Throws: any error of fetching.
  func result(
    of query: QueryDescription, after current: LiveResult? = nil
  ) throws -> (live: LiveResult, window: ResultWindow?) {
    let results = LiveResults.of(store)
    // A window of a result that changes with time is a range of all rows.
    if let window = ResultWindow(query), query.aggregated.isEmpty, !query.isTimed {
      if let first = try results.firstRows(of: query, window, after: current, in: store) {
        return (first, window)
      }
      do {
        return (try results.result(of: query, in: store), nil)
      } catch let error as StoreError where error.isOfIndex {
        // The result then keeps all rows.
      }
    }
    return (try results.result(of: query.unlimited, in: store), ResultWindow(query))
  }
}

extension LiveResults {
  /// Returns the result of a query's first rows, if they can serve a window.
  ///
  /// There is a result for 64 rows, for 128, and so on. So a window that is made larger again and
  /// again reads the rows few times. A window that moves up from further down keeps its index until
  /// it is near the beginning.
  fileprivate func firstRows(
    of query: QueryDescription, _ window: ResultWindow, after current: LiveResult?,
    in store: Store
  ) throws -> LiveResult? {
    let plan = plan(of: query.unlimited)
    let limits = FirstRowsLimits.of(store)
    var most = limits.most.load()
    if case .window = current?.source, current?.plan === plan { most /= 2 }
    guard window.end <= most, FirstRows.canServe(plan) else { return nil }
    var needed = limits.least.load()
    while needed < window.end { needed *= 2 }
    func key(_ count: Int) -> QueryDescription {
      // No query of an app has this offset.
      var key = plan.query
      (key.offset, key.limit) = (-1, count)
      return key
    }
    // More rows than necessary do, too.
    var count = needed
    while count <= limits.most.load() {
      if let result = self.current(key(count)) { return result }
      count *= 2
    }
    return try add(
      LiveResult(
        FirstRows(plan: plan, needed: needed), sharedBy: key(needed), in: store, among: self),
      of: key(needed))
  }
}

extension StoreError {
  /// True if the storage can't give the order of a result without its objects.
  fileprivate var isOfIndex: Bool {
    switch self {
    case .rowNumbersUnsupported, .notIndexable: true
    default: false
    }
  }
}
