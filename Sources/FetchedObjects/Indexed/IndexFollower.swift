internal import EntityStore
internal import ListDiffing
internal import Locking
internal import Relays

typealias IndexEvent = Timeline<IndexSnapshot, IndexDelta>.Event

/// Shows an index-only result in one place, and reads its objects.
///
/// It knows no entity type; the model is its typed face.
final class IndexFollower: CommitListener {
  private struct State: Sendable {
    var timeline: Timeline<IndexSnapshot, IndexDelta>
    /// What the steps that wait come to, until there is another one.
    var ahead: IndexAhead?
  }

  let live: LiveIndex
  let store: Store
  let cache: Locked<ObjectCache<ResultRow>>
  private let state: Locked<State?>
  private let listener = Locked<ListenerEntry?>(nil)
  private let queue: DeliveryQueue
  private let tellEvent: @Sendable (IndexEvent) -> Void
  private let tellError: @Sendable (any Error) -> Void

  /// Fetches the result of a query, or takes the one that another model has.
  ///
  /// It calls `event` with each event and `error` with each error, in the place of `delivery`.
  ///
  /// - Throws: what fetching throws.
  init(
    _ query: QueryDescription, in store: Store, delivery: Delivery, policy: DeliveryPolicy?,
    cacheCapacity: Int, event: @escaping @Sendable (IndexEvent) -> Void,
    error: @escaping @Sendable (any Error) -> Void
  ) throws {
    self.store = store
    tellEvent = event
    tellError = error
    queue = store.queue(of: delivery)
    cache = Locked(ObjectCache(capacity: cacheCapacity))
    state = Locked(nil)
    live = try LiveIndexes.of(store).index(of: query, in: store)
    let entry = ListenerEntry(self, queue: delivery.queue, in: store)
    listener.withLock { $0 = entry }
    let policy = policy ?? .standard(for: delivery)
    live.join(self, entry) { newest in
      state.withLock { $0 = State(timeline: Timeline(newest, policy: policy)) }
    }
  }

  deinit { live.leave(entry) }

  /// Its turn in its place.
  var entry: ListenerEntry {
    guard let entry = listener.withLock({ $0 }) else {
      preconditionFailure("A follower is used before it has been made")
    }
    return entry
  }

  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      guard var value = state.take() else {
        preconditionFailure("A result is read before it has been fetched")
      }
      defer { state = value }
      return body(&value)
    }
  }

  /// The result as it is shown now.
  var shown: IndexSnapshot { withState { $0.timeline.shown } }

  /// The last error, until a commit has been read again.
  var error: (any Error)? { withState { $0.timeline.error } }

  /// What is shown, and what is known to have happened to it since.
  var ahead: IndexAhead {
    withState { state in
      if let ahead = state.ahead { return ahead }
      let steps = state.timeline.waitingSteps.compactMap(\.touched)
      let ahead = IndexAhead(
        shown: state.timeline.shown, step: steps.isEmpty ? nil : IndexDelta.merged(steps).step)
      state.ahead = ahead
      return ahead
    }
  }

  // MARK: What commits bring

  /// Takes in a step.
  func append(_ step: IndexStep, version: Int64, from live: LiveIndex) {
    withState { state in
      state.timeline.append(
        .init(version: version, after: step.after, touched: IndexDelta(step)))
      state.ahead = nil
    }
    forget(step.numbers)
  }

  /// Takes in an error.
  func append(_ error: any Error, version: Int64, from live: LiveIndex) {
    withState { $0.timeline.append(error, version: version) }
    forget(nil)
  }

  private func forget(_ numbers: [Int64]?) {
    let forgotten = cache.withLock { $0.forget(numbers?.map(StoredValue.integer)) }
    // Freed outside the lock.
    withExtendedLifetime(forgotten) {}
  }

  func show(_ version: Int64) {
    let events = withState { state in
      state.ahead = nil
      return state.timeline.show(version)
    }
    withExtendedLifetime(events) {}
  }

  func tell() {
    while let news = withState({ $0.timeline.popNews() }) {
      switch news {
      case .event(let event): tellEvent(event)
      case .error(let error): tellError(error)
      }
    }
  }

  // MARK: Pausing

  /// Keeps what is shown until `resume()`.
  func pause() { withState { $0.timeline.pause() } }

  /// Shows and tells what has come meanwhile, in its place, as one event.
  func resume() {
    let version = withState { state in
      state.ahead = nil
      return state.timeline.resume()
    }
    queue.enqueue { [weak self] in
      self?.show(version)
      self?.tell()
    }
    queue.run()
  }
}

/// A shown result, and what is known to have happened to it since.
final class IndexAhead: Sendable {
  let shown: IndexSnapshot
  /// Nil if nothing has.
  let step: IndexStep?
  /// The objects of rows that are shown and may have another number by now.
  let idsByPath: [ListPath: StoredValue]

  init(shown: IndexSnapshot, step: IndexStep?) {
    self.shown = shown
    self.step = step
    var ids: [ListPath: StoredValue] = [:]
    for (id, candidate) in step?.candidates ?? [:] {
      if let path = candidate.old?.path { ids[path] = id }
    }
    idsByPath = ids
  }

  /// Whether nothing is known of a part of what has happened, but for the objects that are in
  /// `renumbered`.
  var isUnknown: Bool { step.map { $0.candidates == nil } ?? false }

  var renumbered: Set<StoredValue> { step?.renumbered.ids ?? [] }

  /// The rows that are shown and may have another content by now, by their numbers.
  var touchedRows: [Int64: ResultRow] {
    var rows: [Int64: ResultRow] = [:]
    for candidate in step?.candidates?.values ?? [:].values {
      if let old = candidate.old { rows[shown.number(at: old.path)] = old.row }
    }
    return rows
  }
}
