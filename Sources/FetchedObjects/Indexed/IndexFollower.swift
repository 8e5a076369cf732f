internal import EntityStore
internal import ListDiffing
internal import Locking
internal import Relays

extension IndexSnapshot: TimelineValue {
  typealias Touched = IndexDelta
}

typealias IndexEvent = Timeline<IndexSnapshot>.Event

/// Shows an index-only result in one place, and reads its objects.
///
/// It knows no entity type; the model is its typed face.
final class IndexFollower: CommitListener {
  private struct State: Sendable {
    let live: LiveIndex
    var timeline: Timeline<IndexSnapshot>
    /// What the steps that wait come to, until there is another one.
    var ahead: IndexAhead?
  }

  let store: Store
  /// The rows that were read last, by their numbers.
  let cache: SharedObjectCache<Int64, ResultRow>
  private let hasEnded = AtomicWord(0)
  private let state: Locked<State?>
  private let listener = Locked<ListenerEntry?>(nil)
  private let showEvent: @Sendable (IndexEvent) -> Void
  private let tellEvent: @Sendable (IndexEvent) -> Void
  private let tellError: @Sendable (any Error) -> Void

  /// Fetches the result of a query, or takes the one that another model has.
  ///
  /// It calls `event` with each event and `error` with each error, in the place of `delivery`; and
  /// `shown` with each event before that, once it is shown and before any callback runs there.
  ///
  /// - Throws: what fetching throws.
  init(
    _ query: QueryDescription, in store: Store, delivery: Delivery, policy: DeliveryPolicy?,
    cacheCapacity: Int, shown: @escaping @Sendable (IndexEvent) -> Void,
    event: @escaping @Sendable (IndexEvent) -> Void,
    error: @escaping @Sendable (any Error) -> Void
  ) throws {
    self.store = store
    showEvent = shown
    tellEvent = event
    tellError = error
    cache = SharedObjectCache(capacity: cacheCapacity)
    state = Locked(nil)
    let entry = ListenerEntry(self, delivery, policy, in: store)
    listener.withLock { $0 = entry }
    var hasJoined = false
    while !hasJoined {
      let live = try LiveIndexes.of(store).result(of: query, in: store)
      _ = store.takeTurn(entry) {
        // Otherwise a commit couldn't be read just now, and it is read with all others.
        hasJoined = live.join(self, entry) { newest in
          state.withLock { $0 = State(live: live, timeline: Timeline(newest)) }
        }
        return false
      }
    }
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

  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    // What is left out is freed when the lock is gone.
    let (result, _) = withStateKeeping(body)
    return result
  }

  /// What is left out comes with the result: the caller may hold other locks.
  private func withStateKeeping<Result>(
    _ body: (inout State) -> Result
  ) -> (Result, leftOut: [any Sendable]) {
    state.withLock { state in
      guard var value = state.take() else {
        preconditionFailure("A result is read before it has been fetched")
      }
      let ahead = value.ahead
      let result = body(&value)
      var leftOut = value.timeline.takeLeftOut()
      if let ahead, ahead !== value.ahead { leftOut.append(ahead) }
      state = value
      return (result, leftOut)
    }
  }

  /// The result that it follows.
  var live: LiveIndex { withState { $0.live } }

  /// The result as it is shown now.
  var shown: IndexSnapshot { withState { $0.timeline.shown } }

  /// The last error, until a commit has been read again.
  var error: (any Error)? { withState { $0.timeline.error } }

  /// What is shown, and what is known to have happened to it since.
  var ahead: IndexAhead {
    withState { state in
      if let ahead = state.ahead { return ahead }
      var delta: IndexDelta?
      for difference in state.timeline.waitingDifferences {
        var none: [any Sendable] = []
        if delta == nil { delta = difference } else { delta?.formUnion(difference, &none) }
      }
      let ahead = IndexAhead(shown: state.timeline.shown, step: delta?.step)
      state.ahead = ahead
      return ahead
    }
  }

  // MARK: What commits bring

  /// Takes in a step.
  ///
  /// - Returns: whether there is something to show, and what is to be freed when no lock is held.
  func append(
    _ step: IndexStep, _ versions: ClosedRange<Int64>
  ) -> (hasNews: Bool, leftOut: [any Sendable]) {
    let turns = turns
    cache.forget(step.numbers)
    return withStateKeeping { state in
      state.ahead = nil
      return state.timeline.append(
        TimelineStep(
          turn: turns.next, versions: versions, after: step.after, touched: IndexDelta(step)),
        ended: turns.ended)
    }
  }

  /// Takes in an error.
  ///
  /// - Returns: whether there is something to tell, and what is to be freed when no lock is held.
  func append(
    _ error: any Error, version: Int64?
  ) -> (hasNews: Bool, leftOut: [any Sendable]) {
    let turns = turns
    cache.forget(nil)
    return withStateKeeping { state in
      state.timeline.append(
        TimelineStep(turn: turns.next, error, version: version), ended: turns.ended)
    }
  }

  /// The next turn of its place.
  ///
  /// Where nothing is delivered any more all steps are joined: the rows that are shown for good can still
  /// be read by what has become of them.
  private var turns: (next: Int, ended: Int) {
    let place = entry.place
    return place.isGone ? (place.turns.next, .min) : place.turns
  }

  func show(_ turn: Int) {
    // Freed when the lock is gone.
    let event = withState { state in
      state.ahead = nil
      return state.timeline.show(turn)
    }
    if let event { showEvent(event) }
  }

  func tell() {
    cache.release()
    while let news = withState({ $0.timeline.popNews() }) {
      if hasEnded.load() != 0 { continue }
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
    let entry = entry
    var leftOut: [any Sendable] = []
    store.takeTurn(entry) {
      let (hasNews, replaced) = withStateKeeping { state in
        state.ahead = nil
        return state.timeline.resume(turn: entry.place.turns.next)
      }
      leftOut = replaced
      return hasNews
    }.deliver()
    withExtendedLifetime(leftOut) {}
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
