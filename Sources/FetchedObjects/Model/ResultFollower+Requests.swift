internal import EntityStore
internal import Locking
internal import Relays

// Pausing, other queries and other windows: each takes a turn between two commits.
extension ResultFollower {
  /// Keeps what is shown until `resume()`.
  func pause() { withTimeline { $0.pause() } }

  /// Shows and tells what has come meanwhile, in its place, as one event.
  func resume() {
    let entry = entry
    var taken = Taken()
    store.takeTurn(entry) {
      let turns = entry.place.turns
      taken = take { $0?.timeline.resume(turn: turns.next) ?? false }
      return taken.hasNews
    }.deliver()
    withExtendedLifetime(taken) {}
  }

  /// Goes over to another query, and tells the exact difference as one event, in its place.
  ///
  /// It calls `query` once, when no other request is under way, and `note` when that is sure, before anybody
  /// is told. An external commit that the result has already is taken in first, so that all models show it.
  ///
  /// - Throws: what fetching throws; then nothing has changed.
  func setQuery(_ query: @autoclosure () -> QueryDescription, note: () -> Void) throws {
    let entry = entry
    // One after the other, so that the last one's result is the one that is followed.
    var taken = Taken()
    let (turn, old) = try store.takingInAhead { takeIn in
      try requests.withLock { _ -> (TakenTurn, LiveResult?) in
        let query = query()
        let old = state.withLock { $0?.live }
        let (same, window) = try result(of: query)
        if let old, old === same {
          try takeIn(old.newestVersion)
          note()
          return (move(to: window, &taken), old)
        }
        let turn = try join(query, takingIn: takeIn) { next, newest, window in
          note()
          taken = follow(next, newest, window)
          return taken.hasNews
        }
        old?.leave(entry)
        return (turn, old)
      }
    }
    turn.deliver()
    withExtendedLifetime((old, taken)) {}
  }

  /// Goes over to another result.
  private func follow(
    _ next: LiveResult, _ newest: ResultSnapshot, _ window: ResultWindow?
  ) -> Taken {
    let turns = entry.place.turns
    return take { state in
      guard let before = state?.timeline.newest else { return false }
      state?.live = next
      state?.window = window
      let step = TimelineStep(
        turn: turns.next, version: max(before.version, newest.version),
        after: ResultView(newest, window), touched: .all, isWhole: true)
      return state?.timeline.append(step, ended: turns.ended) ?? false
    }
  }

  /// Shows another part of the same result.
  private func move(to window: ResultWindow?, _ taken: inout Taken) -> TakenTurn {
    let entry = entry
    return store.takeTurn(entry) {
      let turns = entry.place.turns
      taken = take { state in
        guard let before = state?.timeline.newest, state?.window != window else { return false }
        state?.window = window
        let step = TimelineStep(
          turn: turns.next, version: before.version, after: ResultView(before.base, window),
          touched: .none)
        return state?.timeline.append(step, ended: turns.ended) ?? false
      }
      return taken.hasNews
    }
  }
}
