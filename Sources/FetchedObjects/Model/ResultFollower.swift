internal import EntityStore
internal import Locking
internal import Relays

/// A result after a commit.
struct ResultStep: Sendable {
  /// The versions of the commit.
  let versions: ClosedRange<Int64>
  let after: ResultSnapshot
  /// The objects that may differ.
  let touched: TouchedObjects
}

extension ResultView: TimelineValue {}

typealias ResultEvent = Timeline<ResultView>.Event

/// Shows a result in one place: what a model stands on.
///
/// It knows no entity type; the model is its typed face.
final class ResultFollower: CommitListener {
  struct State: Sendable {
    var live: LiveResult
    var timeline: Timeline<ResultView>
    var window: ResultWindow?
  }

  /// What has become of a step.
  struct Taken: Sendable {
    var hasNews = false
    /// What is shown no more: to be freed when no lock is held, since a row may hold anything.
    var leftOut: [any Sendable] = []
  }

  let store: Store
  private let hasEnded = AtomicWord(0)
  let state: Locked<State?>
  /// Held while another query or window is set.
  let requests = Locked(())
  private let listener = Locked<ListenerEntry?>(nil)
  /// The queue of the place.
  let queue: DeliveryQueue
  private let showEvent: @Sendable (ResultEvent) -> Void
  private let tellEvent: @Sendable (ResultEvent) -> Void
  private let tellError: @Sendable (any Error) -> Void

  /// Fetches the result of a query, or takes the one that another model has.
  ///
  /// It calls `event` with each event and `error` with each error, in the place of `delivery`; and
  /// `shown` with each event before that, once it is shown and before any callback runs there.
  ///
  /// - Throws: what fetching throws.
  init(
    _ query: QueryDescription, in store: Store, delivery: Delivery, policy: DeliveryPolicy?,
    shown: @escaping @Sendable (ResultEvent) -> Void,
    event: @escaping @Sendable (ResultEvent) -> Void,
    error: @escaping @Sendable (any Error) -> Void
  ) throws {
    self.store = store
    showEvent = shown
    tellEvent = event
    tellError = error
    queue = store.queue(of: delivery)
    state = Locked(nil)
    let entry = ListenerEntry(self, delivery, policy, in: store)
    listener.withLock { $0 = entry }
    _ = try join(query) { live, newest, window in
      state.withLock {
        $0 = State(live: live, timeline: Timeline(ResultView(newest, window)), window: window)
      }
      return false
    }
  }

  /// Joins the result of a query, which calls `begin` with the newest, and the window of it that is to be
  /// shown.
  ///
  /// - Parameters:
  ///   - query: which result.
  ///   - takeIn: is called with the version of the result before it is joined.
  ///   - begin: takes the result, and says whether there is something to show.
  /// - Returns: the turn in which that is shown.
  /// - Throws: what fetching throws, and what `takeIn` throws.
  func join(
    _ query: QueryDescription, takingIn takeIn: (Int64) throws -> Void = { _ in },
    _ begin: (LiveResult, ResultSnapshot, ResultWindow?) -> Bool
  ) throws -> TakenTurn {
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

  /// Calls nobody any more.
  ///
  /// A running commit may hold this for a while yet.
  func end() { hasEnded.store(1) }

  deinit { state.withLock { $0?.live }?.leave(entry) }

  /// Its turn in its place.
  var entry: ListenerEntry {
    guard let entry = listener.withLock({ $0 }) else {
      preconditionFailure("A follower is used before it has been made")
    }
    return entry
  }

  func withTimeline<Result>(
    _ body: (inout Timeline<ResultView>) -> Result
  ) -> Result {
    // What is left out is freed when the lock is gone.
    let changed = state.withLock { $0?.timeline.changed(by: body) }
    guard let (result, _) = changed else {
      preconditionFailure("A result is read before it has been fetched")
    }
    return result
  }

  /// Adds a step to what waits.
  func take(_ body: (inout State?) -> Bool) -> Taken {
    state.withLock { state in
      let hasNews = body(&state)
      return Taken(hasNews: hasNews, leftOut: state?.timeline.takeLeftOut() ?? [])
    }
  }

  /// The result as it is shown now.
  var shown: ResultView { withTimeline { $0.shown } }

  /// How much work the result has been.
  var work: ResultWork { state.withLock { $0?.live }?.work ?? ResultWork() }

  /// How many steps wait to be shown.
  var waitingCount: Int { withTimeline { $0.waitingCount } }

  /// The last error, until a commit has been read again.
  var error: (any Error)? { withTimeline { $0.error } }

  // MARK: What commits bring

  /// Takes in a new result, unless it is one of a query that has been replaced.
  ///
  /// - Returns: whether there is something to show.
  func append(_ step: ResultStep, from live: LiveResult, in place: StorePlace) -> Taken {
    if place.isGone { return dropWaiting() }
    let turns = place.turns
    return take { state in
      guard state?.live === live else { return false }
      let after = ResultView(step.after, state?.window)
      let step = TimelineStep(
        turn: turns.next, versions: step.versions, after: after, touched: step.touched)
      return state?.timeline.append(step, ended: turns.ended) ?? false
    }
  }

  /// Takes in an error.
  ///
  /// - Returns: whether there is something to tell.
  func append(
    _ error: any Error, version: Int64?, from live: LiveResult, in place: StorePlace
  ) -> Taken {
    if place.isGone { return dropWaiting() }
    let turns = place.turns
    return take { state in
      guard state?.live === live else { return false }
      let step = TimelineStep<ResultView>(turn: turns.next, error, version: version)
      return state?.timeline.append(step, ended: turns.ended) ?? false
    }
  }

  /// Leaves out what waits for an actor that has gone.
  private func dropWaiting() -> Taken {
    take { state in
      state?.timeline.dropWaiting()
      return false
    }
  }

  func show(_ turn: Int) {
    if let event = withTimeline({ $0.show(turn) }) { showEvent(event) }
  }

  func tell() {
    // Taken out also when nobody is called any more, so that it doesn't pile up.
    while true {
      let (news, isLast) = withTimeline { ($0.popNews(), $0.isTold) }
      guard let news else { return }
      if hasEnded.load() == 0 {
        switch news {
        case .event(let event): tellEvent(event)
        case .error(let error): tellError(error)
        }
      }
      if isLast { return }
    }
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
