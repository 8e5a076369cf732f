internal import EntityStore
internal import Locking
internal import Relays

/// A result after a commit.
struct ResultStep: Sendable {
  let version: Int64
  let after: ResultSnapshot
  /// The ids of the objects that may differ, each once; nil if all may.
  let touched: [StoredValue]?
}

typealias ResultEvent = Timeline<ResultView, [StoredValue]>.Event

/// Shows a result in one place: what a model stands on.
///
/// It knows no entity type; the model is its typed face.
final class ResultFollower: CommitListener {
  private struct State: Sendable {
    var live: LiveResult
    var timeline: Timeline<ResultView, [StoredValue]>
    var window: ResultWindow?
  }

  private let store: Store
  private let state: Locked<State?>
  /// Held while another query or window is set.
  private let requests = Locked(())
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
    let live = try LiveResults.of(store).result(of: query.unlimited, in: store)
    let window = ResultWindow(query)
    let entry = ListenerEntry(self, queue: delivery.queue, in: store)
    listener.withLock { $0 = entry }
    let policy = policy ?? .standard(for: delivery)
    live.join(self, entry) { newest in
      state.withLock {
        $0 = State(
          live: live, timeline: Timeline(ResultView(newest, window), policy: policy),
          window: window)
      }
    }
  }

  deinit { state.withLock { $0?.live }?.leave(entry) }

  /// Its turn in its place.
  var entry: ListenerEntry {
    guard let entry = listener.withLock({ $0 }) else {
      preconditionFailure("A follower is used before it has been made")
    }
    return entry
  }

  private func withTimeline<Result>(
    _ body: (inout Timeline<ResultView, [StoredValue]>) -> Result
  ) -> Result {
    state.withLock { state in
      guard state != nil, let result = state.mutate({ body(&$0.timeline) }) else {
        preconditionFailure("A result is read before it has been fetched")
      }
      return result
    }
  }

  /// The result as it is shown now.
  var shown: ResultView { withTimeline { $0.shown } }

  /// How much work the result has been.
  var work: ResultWork { state.withLock { $0?.live }?.work ?? ResultWork() }

  /// The last error, until a commit has been read again.
  var error: (any Error)? { withTimeline { $0.error } }

  // MARK: What commits bring

  /// Takes in a new result, unless it is one of a query that has been replaced.
  func append(_ step: ResultStep, from live: LiveResult) {
    state.withLock { state in
      guard state?.live === live else { return }
      let after = ResultView(step.after, state?.window)
      state?.timeline.append(
        .init(version: step.version, after: after, touched: step.touched))
    }
  }

  /// Takes in an error.
  func append(_ error: any Error, version: Int64, from live: LiveResult) {
    state.withLock { state in
      if state?.live === live { state?.timeline.append(error, version: version) }
    }
  }

  func show(_ version: Int64) {
    let events = withTimeline { $0.show(version) }
    for event in events { showEvent(event) }
  }

  func tell() {
    while let news = withTimeline({ $0.popNews() }) {
      switch news {
      case .event(let event): tellEvent(event)
      case .error(let error): tellError(error)
      }
    }
  }

  // MARK: Pausing and other queries

  /// Keeps what is shown until `resume()`.
  func pause() { withTimeline { $0.pause() } }

  /// Shows and tells what has come meanwhile, in its place, as one event.
  func resume() { deliver(withTimeline { $0.resume() }) }

  /// Goes over to another query, and tells the exact difference as one event, in its place.
  ///
  /// It calls `note` when that is sure, before anybody is told.
  ///
  /// - Throws: what fetching throws; then nothing has changed.
  func setQuery(_ query: QueryDescription, note: () -> Void) throws {
    // One after the other, so that the last one's result is the one that is followed.
    let version = try requests.withLock { _ -> Int64? in
      let next = try LiveResults.of(store).result(of: query.unlimited, in: store)
      let window = ResultWindow(query)
      note()
      let old = state.withLock { $0?.live }
      if next === old { return move(to: window) }
      var version: Int64?
      next.join(self, entry) { newest in
        version = state.withLock { state -> Int64? in
          guard let before = state?.timeline.newest else { return nil }
          state?.live = next
          state?.window = window
          state?.timeline.append(
            .init(
              version: max(before.version, newest.version), after: ResultView(newest, window),
              touched: nil))
          return state?.timeline.newestVersion
        }
      }
      old?.leave(entry)
      return version
    }
    if let version { deliver(version) }
  }

  /// Shows another part of the result, and tells the difference as one event, in its place.
  ///
  /// It calls `note` before anybody is told.
  func setWindow(_ window: ResultWindow?, note: () -> Void) {
    let version = requests.withLock { _ in
      note()
      return move(to: window)
    }
    if let version { deliver(version) }
  }

  /// Gives the version to show, or nil if it is there already.
  private func move(to window: ResultWindow?) -> Int64? {
    state.withLock { state in
      guard let before = state?.timeline.newest, state?.window != window else { return nil }
      state?.window = window
      state?.timeline.append(
        .init(version: before.version, after: ResultView(before.base, window), touched: []))
      return state?.timeline.newestVersion
    }
  }

  /// Shows and tells a step, in its place; what comes later has its own turn.
  private func deliver(_ version: Int64) {
    queue.enqueue { [weak self] in
      self?.show(version)
      self?.tell()
    }
    queue.run()
  }
}

extension Optional {
  /// Changes the value if there is one.
  fileprivate mutating func mutate<Result>(_ body: (inout Wrapped) -> Result) -> Result? {
    guard var value = take() else { return nil }
    defer { self = value }
    return body(&value)
  }
}
