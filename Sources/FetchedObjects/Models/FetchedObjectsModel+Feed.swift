internal import EntityStore
internal import Locking

extension FetchedObjectsModel {
  /// What a client is told that has the list of `cursor`: the net change since then, that nothing is different, or
  /// the whole list.
  ///
  ///     let page = cars.feed(after: cursor)
  ///     send(try JSONEncoder().encode(page))
  ///
  /// Rows are objects' attributes by name, with what the query includes. The last 100 versions that were given
  /// are held. ``FetchedObjectsFeed``, which has the rules, is for content of your own, for text that is encoded once
  /// for many clients, and for another limit.
  ///
  /// - Parameter cursor: That of the page that the client had last; nil for a client that has none.
  /// - Returns: What leads to what the model shows now.
  /// - Complexity: As that of ``FetchedObjectsFeed/page(after:)``.
  public func feed(after cursor: FeedCursor?) -> FeedPage<FeedValues> {
    let cursors = plainFeed.withLock { feed in
      if let feed { return feed }
      let made = FeedCursors<FeedPage<FeedValues>>(
        follower, feed: .random(in: .min ... .max), limit: 100)
      feed = made
      return made
    }
    return cursors.page(after: cursor) { $0.page { FeedValues($0, $1.included) } }
  }
}
