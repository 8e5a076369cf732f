@_spi(Storage) internal import EntityStore
internal import Locking
internal import Relays

// Requests for another query or another window. Each takes a turn between two commits.
extension IndexFollower {
  /// Changes to another query, and delivers the difference as one event, in the follower's delivery
  /// context.
  ///
  /// It calls `query` once, when no other request is running. It calls `note` once the change is
  /// certain, before any subscriber is notified. If the new result already contains an external
  /// commit, that commit is merged first, so that all models show it. If `isReplaced` returns true,
  /// because a later request has come, nothing happens, and this returns false. After an error, the
  /// follower keeps its query and its result.
  @discardableResult
  func setQuery(
    _ query: () -> QueryDescription, unless isReplaced: () -> Bool, note: () -> Void
  ) throws -> Bool {
    var isSet = false
    let queue = try store.mergingAhead { merge in
      // Requests run one at a time, so that the result of the last request is the one that is
      // followed.
      try requests.withLock { _ -> DeliveryQueue? in
        let old = live
        // These may be the last references to the results.
        ReleasePool.add(old)
        let query = query()
        Self.check(query)
        let window = ResultWindow(query)
        while !isReplaced() {
          let next = try index(of: query.unlimited, after: old)
          ReleasePool.add(next)
          try merge(next.newest.version)
          if isReplaced() { return nil }
          if next === old {
            isSet = true
            note()
            return move(to: window)
          }
          let watch = NumberWatch(old.plan, next.plan, in: store)
          let queue = store.takeTurn(entry) {
            var hasNews = false
            let (isStale, missed) = (old.isStale, old.missed ?? Renumbered())
            isSet = next.join(self, entry) {
              note()
              hasNews = follow(
                next, IndexView($0, window), watch, isReread: isStale, missed: missed)
            }
            return hasNews
          }
          // If the follower hasn't joined, a commit just couldn't be read. The result is then read
          // again, with that commit and all others.
          guard isSet else { continue }
          old.core.leave(entry)
          return queue
        }
        return nil
      }
    }
    queue?.run()
    return isSet
  }

  /// Changes to another result, which has the same commits.
  ///
  /// If `isReread` is true, the result before lacks some commits.
  private func follow(
    _ next: LiveIndex, _ newest: IndexView, _ watch: NumberWatch, isReread: Bool,
    missed: Renumbered
  ) -> Bool {
    // An external commit that couldn't be merged is in the new result alone.
    let isAhead = newest.version > store.mergedVersion
    // After this, no step of the previous query can drop kept rows.
    defer { cache.forget(nil) }
    return core.append { state, turn in
      let before = state.pending.newest
      state.details.live = next
      let step = IndexStep(
        from: before.index, to: newest.index, candidates: nil,
        renumbered: Renumbered(mayBeAny: isReread && !next.isIdentifiedByNumber).union(missed),
        keepsContents: !isReread && !isAhead
          && before.plan.query.includesSame(as: newest.plan.query),
        watch: watch)
      let version = max(before.version, newest.version)
      return PendingChange(
        turn: turn, versions: version...version, after: newest, touched: IndexDelta(step),
        isReread: true)
    }
  }

  /// Returns the index of a query, which is the present one if it has the query.
  private func index(of query: QueryDescription, after old: LiveIndex) throws -> LiveIndex {
    if !old.isStale, old.plan.query == query { return old }
    return try LiveIndexes.of(store).result(of: query, in: store)
  }

  /// Shows another window of the same result.
  private func move(to window: ResultWindow?) -> DeliveryQueue? {
    store.takeTurn(entry) {
      core.append { state, turn in
        let before = state.pending.newest
        if before.window == window { return nil }
        let step = IndexStep(from: before.index, to: before.index, candidates: [])
        return PendingChange(
          turn: turn, versions: before.version...before.version,
          after: IndexView(before.index, window), touched: IndexDelta(step))
      }
    }
  }
}

extension QueryDescription {
  /// Returns true if both queries include the same values with each row.
  fileprivate func includesSame(as other: QueryDescription) -> Bool {
    included == other.included && includedComputed == other.includedComputed
  }
}
