public import EntityStore
internal import Locking

// Other queries, other windows, and pausing.
extension FetchedObjectsModel {
  /// Goes over to another query.
  ///
  /// One event tells the exact difference, in the model's place: for `.immediate`, outside a callback,
  /// before this returns. While the model is paused the difference is part of the net event. External commits that
  /// are found on the way come before it.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the result can't be read; then the model stays as it was.
  /// - Complexity: O(*n* log *n*) where *n* is the number of objects in both results.
  public func setQuery(_ query: Query<E>) throws {
    try follower.setQuery(query.description) { currentQuery.withLock { $0 = query } }
    tracking.queryHasChanged()
  }

  /// Shows another window of the result.
  ///
  ///     try board.setWindow(offset: 50, limit: 50)
  ///
  /// One event tells the difference, in the model's place; rows that are in both windows aren't told.
  ///
  /// A model with a window keeps the rows that it shows, and a few bytes for each other one. It keeps all rows
  /// where the query aggregates, since sums are those of the whole result, and where the storage can't say the
  /// order of a result without its objects (a condition in Swift on a file, say).
  ///
  /// - Parameters:
  ///   - offset: how many objects stand before the window.
  ///   - limit: how many it has room for, or nil for all that follow.
  /// - Throws: ``/EntityStore/StoreError`` if rows have to be read and can't be.
  /// - Precondition: neither is negative.
  /// - Complexity: O(*w* log *n*) where *w* is the size of the windows and *n* that of the result; O(*n* log *n*)
  ///   if the model had no window yet, somebody else has written to the file since, or all rows have to be kept and
  ///   aren't yet.
  public func setWindow(offset: Int, limit: Int?) throws {
    mustHold(offset >= 0, "A window after \(offset) objects; use 0 or more")
    mustHold((limit ?? 0) >= 0, "A window of \(limit ?? 0) objects; use 0 or more")
    try follower.setQuery(
      currentQuery.withLock { $0.limited(offset: offset, limit: limit) }.description
    ) {
      currentQuery.withLock { $0 = $0.limited(offset: offset, limit: limit) }
    }
    tracking.queryHasChanged()
  }

  /// Keeps what the model shows until `resume()`.
  public func pause() { follower.pause() }

  /// Shows what has come since `pause()` and tells it as one event, the net difference, in the
  /// model's place; if there is none, nothing is told.
  public func resume() { follower.resume() }
}
