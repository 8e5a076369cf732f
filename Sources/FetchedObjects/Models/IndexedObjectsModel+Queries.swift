@_spi(Storage) public import EntityStore
internal import Locking

// Other queries and other windows.
extension IndexedObjectsModel {
  /// The query that was set last.
  public var query: Query<E> {
    core.tracking.accessQuery()
    return requests.query
  }

  /// Replaces the query.
  ///
  /// One event reports the difference, in the model's delivery context. It names a row that stays
  /// only if it moves, or if the two queries include other values. If there is no difference, there
  /// is no event. While the model is paused, the difference is part of the net event. External
  /// commits that are found meanwhile are delivered before it.
  ///
  /// - Throws: ``/EntityStore/StoreError/notIndexable(entity:part:)`` if the query can't be
  ///   expressed in SQL, and another ``/EntityStore/StoreError`` if the result can't be read. The
  ///   model then stays as it was.
  /// - Precondition: The query has no conditions of time.
  /// - Complexity: O(*n* log *n*) where *n* is the number of rows in both results.
  public func setQuery(_ query: Query<E>) throws {
    try requests.set { _ in query }
  }

  /// Replaces the query like ``setQuery(_:)``, but reads off the caller's actor and doesn't block
  /// it.
  ///
  /// The model shows its old result until the new one is there. A later request for a query or a
  /// window replaces this one, if its result isn't shown yet. Of several that wait, only the last
  /// is read.
  ///
  /// - Returns: True if the model has changed to the query. False if a later request has replaced
  ///   this one.
  /// - Throws: `CancellationError` if the task is cancelled before the result is read, or an error
  ///   of ``setQuery(_:)``. The model then stays as it was.
  /// - Precondition: The query has no conditions of time.
  @discardableResult
  public nonisolated(nonsending) func setQueryAsync(_ query: Query<E>) async throws -> Bool {
    try await requests.setAsync { _ in query }
  }

  /// Shows another window of the result.
  ///
  ///     try cars.setWindow(offset: 1_000, limit: 500)
  ///
  /// One event reports the difference, in the model's delivery context. It doesn't name rows that
  /// are in both windows. If there is no difference, there is no event. No row is read, unless a
  /// commit couldn't be read before. Then the order is read again, and the event reports each row
  /// as updated.
  ///
  /// - Parameters:
  ///   - offset: The number of rows before the window.
  ///   - limit: The maximum number of rows in the window, or nil for all that follow.
  /// - Throws: ``/EntityStore/StoreError`` if rows or an external commit have to be read and can't
  ///   be. The model then stays as it was.
  /// - Precondition: `offset` and `limit` aren't negative.
  /// - Complexity: O(*w* log *n*) where *w* is the size of the windows and *n* that of the result.
  public func setWindow(offset: Int, limit: Int?) throws {
    Query<E>.checkWindow(offset, limit)
    try requests.set { $0.limited(offset: offset, limit: limit) }
  }

  /// Shows another window of the result like ``setWindow(offset:limit:)``, but doesn't block the
  /// caller's actor.
  ///
  /// A later request for a query or a window replaces this one, if its rows aren't shown yet.
  ///
  /// - Parameters:
  ///   - offset: The number of rows before the window.
  ///   - limit: The maximum number of rows in the window, or nil for all that follow.
  /// - Returns: True if the model shows the window. False if a later request has replaced this one.
  /// - Throws: `CancellationError` if the task is cancelled before, or an error of
  ///   ``setWindow(offset:limit:)``. The model then stays as it was.
  /// - Precondition: `offset` and `limit` aren't negative.
  @discardableResult
  public nonisolated(nonsending) func setWindowAsync(
    offset: Int, limit: Int?
  ) async throws -> Bool {
    Query<E>.checkWindow(offset, limit)
    return try await requests.setAsync { $0.limited(offset: offset, limit: limit) }
  }

  /// Shows the end of the result: at most `count` rows, before the last `offset`.
  ///
  /// The window stays at the end. Otherwise it is like that of ``setWindow(offset:limit:)``.
  ///
  /// - Parameters:
  ///   - count: The maximum number of rows in the window.
  ///   - offset: The number of rows after the window.
  /// - Throws: The same errors as ``setWindow(offset:limit:)``.
  /// - Precondition: `count` and `offset` aren't negative.
  /// - Complexity: The same as that of ``setWindow(offset:limit:)``.
  public func setWindow(last count: Int, offset: Int = 0) throws {
    Query<E>.checkWindow(offset, count)
    try requests.set { $0.limited(offset: offset, limit: count, fromEnd: true) }
  }

  /// Shows the end of the result like ``setWindow(last:offset:)``, but doesn't block the caller's
  /// actor.
  ///
  /// A later request for a query or a window replaces this one, if its rows aren't shown yet.
  ///
  /// - Parameters:
  ///   - count: The maximum number of rows in the window.
  ///   - offset: The number of rows after the window.
  /// - Returns: True if the model shows the window. False if a later request has replaced this one.
  /// - Throws: `CancellationError` if the task is cancelled before, or an error of
  ///   ``setWindow(offset:limit:)``. The model then stays as it was.
  /// - Precondition: `count` and `offset` aren't negative.
  @discardableResult
  public nonisolated(nonsending) func setWindowAsync(
    last count: Int, offset: Int = 0
  ) async throws -> Bool {
    Query<E>.checkWindow(offset, count)
    return try await requests.setAsync {
      $0.limited(offset: offset, limit: count, fromEnd: true)
    }
  }
}

extension Query {
  static func checkWindow(_ offset: Int, _ limit: Int?) {
    mustHold(offset >= 0, "A window after \(offset) objects; use 0 or more")
    mustHold((limit ?? 0) >= 0, "A window of \(limit ?? 0) objects; use 0 or more")
  }
}
