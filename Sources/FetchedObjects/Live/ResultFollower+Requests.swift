@_spi(Storage) internal import EntityStore
internal import Locking
internal import Relays

// Requests for another query or another window. Each takes a turn between two commits.
extension ResultFollower {
  /// Changes to another query, and delivers the exact difference as one event, in the follower's
  /// delivery context.
  ///
  /// It calls `query` once, when no other request is running. It calls `noteQuery` once the change
  /// is certain, before any subscriber is notified. If the new result already contains an external
  /// commit, that commit is merged first, so that all models show it. If `isReplaced` returns true,
  /// because a later request has come, nothing happens, and this returns false.
  ///
  /// If the window stays around an anchor, the query has no window. `StoreError.notFound` is thrown
  /// if the result doesn't have the anchor. After an error, the follower keeps its query and its
  /// result.
  @discardableResult
  func setQuery(
    _ query: @autoclosure () -> QueryDescription, around anchor: WindowAnchor? = nil,
    unless isReplaced: () -> Bool = { false }, noting noteQuery: () -> Void
  ) throws -> Bool {
    let entry = entry
    var isSet = false
    // Requests run one at a time, so that the result of the last request is the one that is
    // followed.
    let queue = try store.mergingAhead { merge in
      try requests.withLock { _ -> DeliveryQueue? in
        if isReplaced() { return nil }
        let query = query()
        let old = core.withState { $0.details.live }
        // This may be the last reference to the result.
        ReleasePool.add(old)
        func note() {
          isSet = true
          noteQuery()
        }
        if let anchor, old.plan === LiveResults.of(store).plan(of: query) {
          try merge(old.newestVersion)
          let queue = move { _ in
            guard let window = old.moveWindow(to: anchor) else { return nil }
            note()
            return NextWindow(window: window)
          }
          if isSet { return queue }
        }
        let target = try result(of: query, around: anchor, after: old)
        ReleasePool.add(target.live)
        if isReplaced() { return nil }
        if old === target.live {
          try merge(old.newestVersion)
          let queue = move { newest in
            // A commit may just have dropped the rows that only the new window needs.
            if old.isExact { return nil }
            note()
            return NextWindow(window: target.window?.moved(to: newest))
          }
          if isSet { return queue }
        }
        let queue = try join(query, around: anchor, first: target, after: old, merging: merge) {
          note()
          return follow($0, $1, $2)
        }
        if core.withState({ $0.details.live }) !== old { old.core.leave(entry) }
        return queue
      }
    }
    queue?.run()
    return isSet
  }

  private func follow(
    _ next: LiveResult, _ newest: ResultSnapshot, _ window: ResultWindow?
  ) -> Bool {
    let turns = entry.context.turns
    return core.withState { state in
      let before = state.pending.newest
      state.details = Details(live: next, window: window)
      let version = max(before.version, newest.version)
      let step = PendingChange(
        turn: turns.next, versions: version...version, after: ResultView(newest, window),
        touched: .all, isReread: true)
      return state.pending.append(step, lastClosedTurn: turns.ended)
    }
  }

  /// A window to show; nil shows the whole result.
  private struct NextWindow {
    let window: ResultWindow?
  }

  /// Shows another window of the same result, unless `next` returns nil.
  private func move(to next: (ResultSnapshot) -> NextWindow?) -> DeliveryQueue? {
    let entry = entry
    return store.takeTurn(entry) {
      // No commit is installed meanwhile. The window may need the lock of the result, which comes
      // before that of the follower.
      let before = core.withState { $0.pending.newest }
      ReleasePool.add(before)
      guard let next = next(before.base) else { return false }
      let turns = entry.context.turns
      return core.withState { state in
        guard state.details.window != next.window else { return false }
        state.details.window = next.window
        let step = PendingChange<ResultView>(
          turn: turns.next, versions: before.version...before.version,
          after: ResultView(before.base, next.window), touched: .none)
        return state.pending.append(step, lastClosedTurn: turns.ended)
      }
    }
  }
}
