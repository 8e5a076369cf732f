internal import EntityStore
internal import Locking
internal import Relays

extension ResultView: PendingValue {}

typealias ResultEvent = PendingChanges<ResultView>.Event

/// Follows the result of a query, another one after `setQuery`, or a window of it.
final class ResultFollower: Follower {
  struct Details: Sendable {
    var live: LiveResult
    var window: ResultWindow?
  }

  let core: FollowerCore<ResultView, Details>
  /// Held while another query or window is set.
  let requests = Locked(())
  private let showEvent: @Sendable (ResultEvent) -> Void
  private let tellEvent: @Sendable (ResultEvent) -> Void
  private let tellError: @Sendable (any Error) -> Void

  /// Fetches the result of a query, or takes the one that another model has.
  ///
  /// It calls `event` with each event and `error` with each error, in the delivery context; and
  /// `shown` with each event before that, once it is shown and before any callback runs there.
  ///
  /// - Throws: what fetching throws.
  init(
    _ query: QueryDescription, in store: Store, delivery: Delivery, policy: DeliveryPolicy?,
    shown: @escaping @Sendable (ResultEvent) -> Void,
    event: @escaping @Sendable (ResultEvent) -> Void,
    error: @escaping @Sendable (any Error) -> Void
  ) throws {
    showEvent = shown
    tellEvent = event
    tellError = error
    core = FollowerCore(in: store, delivery: delivery)
    core.register(self, delivery, policy)
    _ = try join(query) { live, newest, window in
      core.begin(ResultView(newest, window), Details(live: live, window: window))
      return false
    }
  }

  deinit { core.change { $0.details.live }?.core.leave(entry) }

  func didShow(_ event: ResultEvent) { showEvent(event) }

  func deliver(_ event: ResultEvent) { tellEvent(event) }

  func deliver(_ error: any Error) { tellError(error) }

  var store: Store { core.store }

  /// How much work the result has been.
  var work: ResultWork { core.withState { $0.details.live }.work }

  // MARK: What commits bring

  /// Adds a new result to what waits, unless it is one of a query that has been replaced.
  ///
  /// - Returns: Whether there is something to deliver.
  func append(_ step: ResultStep, from live: LiveResult) -> Bool {
    core.append { state, turn in
      guard state.details.live === live else { return nil }
      return PendingChange(
        turn: turn, versions: step.versions, after: ResultView(step.after, state.details.window),
        touched: step.touched)
    }
  }

  /// Adds an error to what waits, unless it is one of a query that has been replaced.
  ///
  /// - Returns: Whether there is something to deliver.
  func append(_ error: any Error, version: Int64?, from live: LiveResult) -> Bool {
    core.append { state, turn in
      state.details.live === live ? PendingChange(turn: turn, error, version: version) : nil
    }
  }

  // MARK: Results

  /// Joins the result of a query, which calls `begin` with the newest, and the window of it that is to be
  /// shown.
  ///
  /// - Parameters:
  ///   - query: which result.
  ///   - takeIn: is called with the version of the result before it is joined.
  ///   - begin: takes the result, and says whether there is something to show.
  /// - Returns: The queue to run when no lock is held, or nil.
  /// - Throws: what fetching throws, and what `takeIn` throws.
  func join(
    _ query: QueryDescription, takingIn takeIn: (Int64) throws -> Void = { _ in },
    _ begin: (LiveResult, ResultSnapshot, ResultWindow?) -> Bool
  ) throws -> DeliveryQueue? {
    let entry = entry
    while true {
      let (live, window) = try result(of: query)
      try takeIn(live.newestVersion)
      var hasJoined = false
      let turn = store.takeTurn(entry) {
        var hasNews = false
        hasJoined = live.join(self, entry) { hasNews = begin(live, $0, window) }
        return hasNews
      }
      // Otherwise a commit couldn't be read just now, and it is read with all others.
      if hasJoined { return turn }
    }
  }

  /// The result that shows a query, and the window of it if it isn't that itself.
  func result(of query: QueryDescription) throws -> (LiveResult, ResultWindow?) {
    let results = LiveResults.of(store)
    if WindowSource.window(of: query) != nil {
      do {
        return (try results.result(of: query, in: store), nil)
      } catch let error as StoreError where error.isOfIndex {
        // All rows are kept.
      }
    }
    return (try results.result(of: query.unlimited, in: store), ResultWindow(query))
  }
}

extension StoreError {
  /// Whether the storage can't say the order of a result without its objects.
  fileprivate var isOfIndex: Bool {
    switch self {
    case .rowNumbersUnsupported, .notIndexable: true
    default: false
    }
  }
}
