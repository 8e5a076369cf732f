internal import EntityStore
internal import Locking
internal import Relays

// Other queries and other windows: each takes a turn between two commits.
extension ResultFollower {
  /// Goes over to another query, and tells the exact difference as one event, in its place.
  ///
  /// It calls `query` once, when no other request is under way, and `note` when that is sure, before anybody
  /// is told. An external commit that the result has already is taken in first, so that all models show it.
  ///
  /// - Throws: what fetching throws; then nothing has changed.
  func setQuery(_ query: @autoclosure () -> QueryDescription, note: () -> Void) throws {
    let entry = entry
    // One after the other, so that the last one's result is the one that is followed.
    let queue = try store.takingInAhead { takeIn in
      try requests.withLock { _ -> DeliveryQueue? in
        let query = query()
        let old = core.withState { $0.details.live }
        // It may be the last hold of it.
        ReleasePool.add(old)
        let (same, window) = try result(of: query)
        if old === same {
          try takeIn(old.newestVersion)
          note()
          return move(to: window)
        }
        let queue = try join(query, takingIn: takeIn) { next, newest, window in
          note()
          return follow(next, newest, window)
        }
        old.core.leave(entry)
        return queue
      }
    }
    queue?.run()
  }

  /// Goes over to another result.
  private func follow(
    _ next: LiveResult, _ newest: ResultSnapshot, _ window: ResultWindow?
  ) -> Bool {
    let turns = entry.context.turns
    return core.withState { state in
      let before = state.pending.newest
      state.details = Details(live: next, window: window)
      let step = PendingChange(
        turn: turns.next, version: max(before.version, newest.version),
        after: ResultView(newest, window), touched: .all, isWhole: true)
      return state.pending.append(step, ended: turns.ended)
    }
  }

  /// Shows another part of the same result.
  private func move(to window: ResultWindow?) -> DeliveryQueue? {
    let entry = entry
    return store.takeTurn(entry) {
      let turns = entry.context.turns
      return core.withState { state in
        let before = state.pending.newest
        guard state.details.window != window else { return false }
        state.details.window = window
        let step = PendingChange<ResultView>(
          turn: turns.next, version: before.version, after: ResultView(before.base, window),
          touched: .none)
        return state.pending.append(step, ended: turns.ended)
      }
    }
  }
}
