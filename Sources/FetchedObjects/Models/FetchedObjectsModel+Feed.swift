internal import Locking

extension FetchedObjectsModel {
  /// Returns the net change since `cursor`, or a page which states that nothing is different, or
  /// the whole list.
  ///
  ///     let page = cars.feed(after: cursor)
  ///     send(try JSONEncoder().encode(page))
  ///
  /// A row has the object's attributes by name, with what the query includes. The last 100 versions
  /// that were given are held. ``FetchedObjectsFeed`` has the rules. Use it for custom content, for
  /// text that is encoded once for many clients, and for another limit.
  ///
  /// - Parameter cursor: The cursor of the client's last page, or nil for a client that has none.
  /// - Returns: The page that leads to the list that the model shows now.
  /// - Complexity: The same as that of ``FetchedObjectsFeed/page(after:)``.
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
