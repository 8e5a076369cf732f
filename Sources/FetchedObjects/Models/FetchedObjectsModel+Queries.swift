@_spi(Storage) public import EntityStore
internal import Locking

// Other queries, other windows, and pausing.
extension FetchedObjectsModel {
  /// Replaces the query.
  ///
  /// One event reports the exact difference, in the model's delivery context. With `.immediate`,
  /// and outside a callback, it is delivered before this method returns. While the model is paused,
  /// the difference is part of the net event. External commits that are found meanwhile are
  /// delivered before it.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the result can't be read. The model then stays as it
  ///   was.
  /// - Complexity: O(*n* log *n*) where *n* is the number of objects in both results.
  public func setQuery(_ query: Query<E>) throws {
    try follower.setQuery(query.description) { currentQuery.withLock { $0 = query } }
    core.tracking.queryHasChanged()
  }

  /// Shows another window of the result.
  ///
  ///     try board.setWindow(offset: 50, limit: 50)
  ///
  /// One event reports the difference, in the model's delivery context. It doesn't name rows that
  /// are in both windows.
  ///
  /// A model with a window that ends within the first 2,048 rows keeps the rows up to its end and
  /// some after them. Otherwise, and if the filter or the order reads other objects, it keeps the
  /// rows that it shows, and a few bytes for each other row. It keeps all rows in two cases: if the
  /// query aggregates, since sums cover the whole result, and if the storage can't give the order
  /// of a result without its objects (for example with a condition in Swift on a file).
  ///
  /// - Parameters:
  ///   - offset: The number of objects before the window.
  ///   - limit: The maximum number of objects in the window, or nil for all that follow.
  /// - Throws: ``/EntityStore/StoreError`` if rows have to be read and can't be.
  /// - Precondition: `offset` and `limit` aren't negative.
  /// - Complexity: O(*w* log *n*) where *w* is the size of the windows and *n* that of the result.
  ///   It is O(*n*) if more first rows are needed than are kept, which happens O(log *w*) times. It
  ///   is O(*n* log *n*) for the first window after those, if there has been an external commit to
  ///   the file since, or if all rows have to be kept and aren't yet.
  public func setWindow(offset: Int, limit: Int?) throws {
    mustHold(offset >= 0, "A window after \(offset) objects; use 0 or more")
    mustHold((limit ?? 0) >= 0, "A window of \(limit ?? 0) objects; use 0 or more")
    try follower.setQuery(
      currentQuery.withLock { $0.limited(offset: offset, limit: limit) }.description
    ) {
      currentQuery.withLock { $0 = $0.limited(offset: offset, limit: limit) }
    }
    core.tracking.queryHasChanged()
  }

  /// Keeps the shown result until `resume()`.
  public func pause() { follower.pause() }

  /// Shows the commits since `pause()` and delivers them as one event, the net difference, in the
  /// model's delivery context.
  ///
  /// Nothing is delivered if there is no difference.
  public func resume() { follower.resume() }
}
