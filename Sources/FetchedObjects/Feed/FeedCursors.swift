internal import Locking

/// Gives clients what leads from where they are to what a model shows, made once for all that are at the
/// same place.
final class FeedCursors<Output: Sendable>: Sendable {
  private let follower: ResultFollower
  /// What the feed is called in cursors.
  private let feed: UInt64
  private let held: Locked<HeldCursors<Output>>

  init(_ follower: ResultFollower, feed: UInt64, limit: Int) {
    mustHold(limit > 0, "A feed that holds \(limit) versions; use 1 or more")
    self.follower = follower
    self.feed = feed
    held = Locked(HeldCursors(limit: limit))
  }

  /// How many versions are held.
  var count: Int { held.withLock { $0.count } }

  /// How many versions may be held.
  var limit: Int {
    get { held.withLock { $0.limit } }
    set {
      mustHold(newValue > 0, "A feed that holds \(newValue) versions; use 1 or more")
      let released = held.withLock { $0.setLimit(newValue) }
      withExtendedLifetime(released) {}
    }
  }

  /// What a client is told; `make` makes it unless that has been done.
  func page<Failure: Error>(
    after cursor: FeedCursor?, make: (FeedStep) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    let view = follower.shown
    let known = held.withLock { held -> (cursor: FeedCursor, page: Output?)? in
      held.cursor(of: view).map { ($0, held.page(after: cursor?.place(at: $0), to: $0)) }
    }
    if let page = known?.page { return page }
    // Outside the lock: it takes as long as the result is, and `make` calls foreign code.
    let shown =
      known?.cursor
      ?? FeedCursor(feed: feed, version: view.version, sum: view.feedSum().value)
    let place = cursor?.place(at: shown)
    let start =
      held.withLock { $0.start(place) }
      ?? (place == shown ? FeedStep.Start(cursor: shown, view: view) : nil)
    let page = try make(FeedStep(start: start, cursor: shown, view: view))
    let (released, kept) = held.withLock { held in
      (held.show(view, shown), held.keep(page, after: start?.cursor, to: shown))
    }
    withExtendedLifetime(released) {}
    return kept
  }
}

extension FeedCursor {
  /// The client's place where `shown` is that of the list: there, if it has the same, and otherwise where it was.
  ///
  /// In another life of the process nothing is held at first, and the list counts as of the newest version, and who is
  /// up to date is so all the same.
  fileprivate func place(at shown: FeedCursor) -> FeedCursor {
    feed == shown.feed && sum == shown.sum && version <= shown.version ? shown : self
  }
}
