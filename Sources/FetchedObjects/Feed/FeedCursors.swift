internal import EntityStore
internal import Locking

/// The pages of a feed: each leads from a client's version to the list that a model shows.
///
/// A page is made once for all clients that are at the same version.
final class FeedCursors<Output: Sendable>: Sendable {
  private let follower: ResultFollower
  /// The feed's number in cursors.
  private let feed: UInt64
  /// True if clients get the values that rows are sorted by, of which hashes don't cover all.
  private let sendsSortValues: Bool
  private let held: Locked<HeldCursors<Output>>
  /// The memo of hashes that was used last.
  private let memo = Locked<KeptMemo?>(nil)

  private struct KeptMemo {
    let memo: FeedHashMemo
    /// The plan, if only this feed has the memo.
    let ownPlan: ResultPlan?
  }

  init(_ follower: ResultFollower, feed: UInt64, limit: Int, sendsSortValues: Bool = false) {
    self.sendsSortValues = sendsSortValues
    mustHold(limit > 0, "A feed that holds \(limit) versions; use 1 or more")
    self.follower = follower
    self.feed = feed
    held = Locked(HeldCursors(limit: limit))
  }

  /// The number of versions that are held.
  var count: Int { held.withLock { $0.count } }

  /// The maximum number of versions that are held.
  var limit: Int {
    get { held.withLock { $0.limit } }
    set {
      mustHold(newValue > 0, "A feed that holds \(newValue) versions; use 1 or more")
      ReleasePool.open { held.withLock { $0.setLimit(newValue) } }
    }
  }

  /// Returns the number of versions that clients were given after the one of a cursor, or nil if
  /// its version isn't held.
  ///
  /// - Complexity: O(*v*) for *v* held versions.
  func age(of cursor: FeedCursor) -> Int? { held.withLock { $0.age(of: cursor) } }

  /// Returns the check sum of a list as its cursors have it.
  private func sum(of view: ResultView) -> UInt64 {
    let sum = view.feedSum(memo(of: view)).value
    let plan = view.plan
    guard sendsSortValues else { return sum }
    guard let hidden = plan.hiddenSortValues else { return sum &+ plan.sortNamesHash }
    // Time changes such values without another version.
    let instant = view.base.time?.instant.bitPattern ?? 0
    return sum &+ plan.sortNamesHash &+ hidden &+ instant
  }

  /// Returns the place of a client with a cursor.
  ///
  /// If the client's own version is held, that version says what the client has. Otherwise a client
  /// with the check sum of the shown list has that list, unless it also has values that no check
  /// sum covers.
  private func clientPlace(
    _ cursor: FeedCursor?, at shown: FeedCursor, _ view: ResultView, _ held: HeldCursors<Output>
  ) -> FeedCursor? {
    let isCovered = !sendsSortValues || view.plan.hiddenSortValues == nil
    guard let cursor, isCovered, held.start(cursor) == nil else { return cursor }
    return cursor.place(at: shown)
  }

  /// Returns the memo of hashes for a view, and keeps it.
  ///
  /// The feeds of a plan share one. A window that has its own rows gives them other slots than the
  /// whole result does, so its feed has its own memo.
  private func memo(of view: ResultView) -> FeedHashMemo {
    let ownPlan = view.base.extent == nil ? nil : view.plan
    let (memo, last) = memo.withLock { kept -> (FeedHashMemo, KeptMemo?) in
      let last = kept
      if let last, let ownPlan, last.ownPlan === ownPlan { return (last.memo, last) }
      let memo = ownPlan == nil ? view.plan.hashMemo() : FeedHashMemo()
      kept = KeptMemo(memo: memo, ownPlan: ownPlan)
      return (memo, last)
    }
    return withExtendedLifetime(last) { memo }
  }

  /// Returns the page for a client, and calls `make` if the page hasn't been made yet.
  func page<Failure: Error>(
    after cursor: FeedCursor?, make: (FeedStep) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    let view = follower.shown
    let known = held.withLock { held -> (cursor: FeedCursor, page: Output?)? in
      held.cursor(of: view).map {
        ($0, held.page(after: clientPlace(cursor, at: $0, view, held), to: $0))
      }
    }
    if let page = known?.page { return page }
    // This runs outside the lock. Its duration depends on the size of the result, and `make` calls
    // the app's code.
    let shown =
      known?.cursor
      ?? FeedCursor(feed: feed, version: view.version, sum: sum(of: view))
    let start = held.withLock { held -> FeedStep.Start? in
      let place = clientPlace(cursor, at: shown, view, held)
      return held.start(place) ?? (place == shown ? .init(cursor: shown, view: view) : nil)
    }
    let page = try make(FeedStep(start: start, cursor: shown, view: view))
    return ReleasePool.open {
      held.withLock { held in
        held.show(view, shown)
        return held.keep(page, after: start?.cursor, to: shown)
      }
    }
  }
}

extension FeedCursor {
  /// Returns `shown` if the client has the shown list, and otherwise the client's own cursor.
  ///
  /// After the process restarts, no version is held at first, and the list has the newest version.
  /// A client that is up to date stays so.
  fileprivate func place(at shown: FeedCursor) -> FeedCursor {
    feed == shown.feed && sum == shown.sum && version <= shown.version ? shown : self
  }
}
