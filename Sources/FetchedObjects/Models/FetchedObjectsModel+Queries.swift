@_spi(Storage) public import EntityStore
internal import ListDiffing
internal import Locking

// Other queries, other windows, and pausing.
extension FetchedObjectsModel {
  /// Replaces the query.
  ///
  /// One event reports the exact difference, in the model's delivery context. If there is no
  /// difference, there is no event. With `.immediate`, and outside a callback, it is delivered
  /// before this method returns. While the model is paused, the difference is part of the net
  /// event. External commits that are found meanwhile are delivered before it.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the result can't be read. The model then stays as it
  ///   was.
  /// - Complexity: O(*n* log *n*) where *n* is the number of objects in both results.
  public func setQuery(_ query: Query<E>) throws {
    try requests.set { _ in query }
  }

  /// Replaces the query like ``setQuery(_:)``, but reads off the caller's actor and doesn't block
  /// it.
  ///
  ///     // for each letter that is typed
  ///     try await cars.setQueryAsync(Query<Car>().filter { $0.model.hasPrefix(text) })
  ///
  /// The model shows its old result until the new one is there. A later request for a query or a
  /// window replaces this one, if its result isn't shown yet. Of several that wait, only the last
  /// is read.
  ///
  /// - Returns: True if the model has changed to the query. False if a later request has replaced
  ///   this one.
  /// - Throws: `CancellationError` if the task is cancelled before the result is read, or
  ///   ``/EntityStore/StoreError`` if the result can't be read. The model then stays as it was.
  @discardableResult
  public nonisolated(nonsending) func setQueryAsync(_ query: Query<E>) async throws -> Bool {
    try await requests.setAsync { _ in query }
  }

  /// Shows another window of the result.
  ///
  ///     try board.setWindow(offset: 50, limit: 50)
  ///
  /// One event reports the difference, in the model's delivery context. It doesn't name rows that
  /// are in both windows. If there is no difference, there is no event.
  ///
  /// A model with a window that ends within the first 2,048 rows keeps the rows up to its end and
  /// some after them. Otherwise, and if the filter or the order reads other objects, it keeps the
  /// rows that it shows, and a few bytes for each other row. It keeps all rows if the query
  /// aggregates, since sums cover the whole result, if it has a condition of time, and if it is
  /// ordered by relevance. A window that needs the order of the whole result also keeps all rows if
  /// the storage can't give it without the objects (for example with a condition in Swift on a
  /// file).
  ///
  /// Declare an index on the attribute that the rows are ordered by first, which is that of the
  /// sections if there are any. Then the first rows are found by it.
  ///
  /// - Parameters:
  ///   - offset: The number of objects before the window.
  ///   - limit: The maximum number of objects in the window, or nil for all that follow.
  /// - Throws: ``/EntityStore/StoreError`` if rows have to be read and can't be.
  /// - Precondition: `offset` and `limit` aren't negative.
  /// - Complexity: O(*w* log *n*) where *w* is the size of the windows and *n* that of the result.
  ///   It is O(*n*) if more first rows are needed than are kept, which happens O(log *w*) times. It
  ///   is O(*n* log *n*) for the first window that isn't among the first 2,048 rows, if there has
  ///   been an external commit to the file since, or if all rows have to be kept and aren't yet.
  public func setWindow(offset: Int, limit: Int?) throws {
    Query<E>.checkWindow(offset, limit)
    try requests.set { $0.limited(offset: offset, limit: limit) }
  }

  /// Shows another window of the result like ``setWindow(offset:limit:)``, but reads off the
  /// caller's actor and doesn't block it.
  ///
  /// The model shows its old window until the new one is there. A later request for a query or a
  /// window replaces this one, if its rows aren't shown yet.
  ///
  /// - Parameters:
  ///   - offset: The number of objects before the window.
  ///   - limit: The maximum number of objects in the window, or nil for all that follow.
  /// - Returns: True if the model shows the window. False if a later request has replaced this one.
  /// - Throws: `CancellationError` if the task is cancelled before rows are read, or
  ///   ``/EntityStore/StoreError`` if they can't be read. The model then stays as it was.
  /// - Precondition: `offset` and `limit` aren't negative.
  @discardableResult
  public nonisolated(nonsending) func setWindowAsync(
    offset: Int, limit: Int?
  ) async throws -> Bool {
    Query<E>.checkWindow(offset, limit)
    return try await requests.setAsync { $0.limited(offset: offset, limit: limit) }
  }

  /// Shows the end of the result: at most `count` objects, before the last `offset`.
  ///
  ///     try messages.setWindow(last: 100)  // 50 more, above
  ///
  /// The window stays at the end. Otherwise it is like that of ``setWindow(offset:limit:)``, and
  /// one event reports the difference.
  ///
  /// - Parameters:
  ///   - count: The maximum number of objects in the window.
  ///   - offset: The number of objects after the window.
  /// - Throws: ``/EntityStore/StoreError`` if rows have to be read and can't be.
  /// - Precondition: `count` and `offset` aren't negative.
  /// - Complexity: The same as that of ``setWindow(offset:limit:)``, counted from the end.
  public func setWindow(last count: Int, offset: Int = 0) throws {
    Query<E>.checkWindow(offset, count)
    try requests.set { $0.limited(offset: offset, limit: count, fromEnd: true) }
  }

  /// Shows the end of the result like ``setWindow(last:offset:)``, but reads off the caller's actor
  /// and doesn't block it.
  ///
  /// The model shows its old window until the new one is there. A later request for a query or a
  /// window replaces this one, if its rows aren't shown yet.
  ///
  /// - Parameters:
  ///   - count: The maximum number of objects in the window.
  ///   - offset: The number of objects after the window.
  /// - Returns: True if the model shows the window. False if a later request has replaced this one.
  /// - Throws: `CancellationError` if the task is cancelled before rows are read, or
  ///   ``/EntityStore/StoreError`` if they can't be read. The model then stays as it was.
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

  /// Shows a row with the rows around it, and stays there.
  ///
  ///     try messages.setWindow(around: firstUnread, before: 10, after: 40)
  ///
  /// A row that comes or goes outside the window makes no event. It changes only
  /// ``ListSnapshot/rowsBefore`` and ``ListSnapshot/rowsAfter``, and a view that reads them is
  /// refreshed. If the row itself goes, the row that follows its place takes it, or else the last
  /// row: ``windowAnchor``.
  ///
  /// The model keeps the rows of the window and a reserve: when they are read, at least 64 rows on
  /// both sides. ``query`` has no window then. The model keeps all rows of the query in six cases:
  /// if there are more than 2,048 rows in the window, if the order or the filter reads other
  /// objects, if the query aggregates, if it has a condition of time, if it is ordered by
  /// relevance, and if a key has a collation, such as `.natural`.
  ///
  /// - Parameters:
  ///   - id: The id of the row.
  ///   - before: The maximum number of rows before it.
  ///   - after: The maximum number of rows after it.
  /// - Throws: ``/EntityStore/StoreError/notFound(_:)`` if the row isn't in the result, or another
  ///   ``/EntityStore/StoreError`` if the result can't be read. The model then stays as it was.
  /// - Precondition: `before` and `after` aren't negative.
  /// - Complexity: O(*w* log *w*) where *w* is the size of the windows, if the rows are kept.
  ///   Otherwise it reads the rows around the new one, in O(*w* log *n*) with an index on the first
  ///   attribute of the order, and counts those before it, in O(*n*). It is O(*n* log *n*) if all
  ///   rows have to be kept and aren't yet.
  public func setWindow(around id: E.ID, before: Int, after: Int) throws {
    try requests.set(around: anchor(id, before, after)) { $0.limited(offset: 0, limit: nil) }
  }

  /// Shows a row with the rows around it like ``setWindow(around:before:after:)``, but reads off
  /// the caller's actor and doesn't block it.
  ///
  ///     // for a link to a message
  ///     try await messages.setWindowAsync(around: linked, before: 20, after: 20)
  ///
  /// The model shows its old window until the new one is there. A later request for a query or a
  /// window replaces this one, if its rows aren't shown yet.
  ///
  /// - Parameters:
  ///   - id: The id of the row.
  ///   - before: The maximum number of rows before it.
  ///   - after: The maximum number of rows after it.
  /// - Returns: True if the model shows the window. False if a later request has replaced this one.
  /// - Throws: `CancellationError` if the task is cancelled before rows are read,
  ///   ``/EntityStore/StoreError/notFound(_:)`` if the row isn't in the result, or another
  ///   ``/EntityStore/StoreError`` if rows can't be read. The model then stays as it was.
  /// - Precondition: `before` and `after` aren't negative.
  @discardableResult
  public nonisolated(nonsending) func setWindowAsync(
    around id: E.ID, before: Int, after: Int
  ) async throws -> Bool {
    try await requests.setAsync(around: anchor(id, before, after)) {
      $0.limited(offset: 0, limit: nil)
    }
  }

  private func anchor(_ id: E.ID, _ before: Int, _ after: Int) -> WindowAnchor {
    mustHold(
      before >= 0 && after >= 0, "A window of fewer than no rows around one; use 0 or more")
    return WindowAnchor(id: E.schema.stored(id), before: before, after: after)
  }

  /// The id of the row that the window stays around, or nil if it doesn't stay around one.
  public var windowAnchor: E.ID? {
    core.tracking.accessContent()
    let shown = follower.shown
    return shown.window?.anchor.flatMap { shown.base.row($0.id) }
      .map { $0.row.value(as: E.self).id }
  }

  /// Keeps the shown result until `resume()`.
  ///
  /// ``waitingEvent`` shows what waits.
  public func pause() { follower.pause() }

  /// The event that `resume()` would deliver now, or nil if nothing has changed since `pause()`.
  ///
  ///     let event = messages.waitingEvent
  ///     let count = event.map { $0.after.totalCount - $0.before.totalCount } ?? 0
  ///     button.title = "\(count) new messages"
  ///
  /// A window has none as long as only rows outside it have changed, unless its sums differ.
  ///
  /// It can be read at any time. Without a pause, it has what waits for its turn in the model's
  /// delivery context. Observation doesn't record the read: read it after each commit, for example
  /// in a subscription to `store.changes(of:)`.
  ///
  /// - Complexity: The same as that of the event, O(*k* log *n*) for *k* changes since, at each
  ///   read.
  public var waitingEvent: ListEvent<EntityView<E>>? {
    follower.waitingEvent.flatMap { event in
      let changes = ResultView.changes(of: event)
      guard !changes.isEmpty || ResultView.changesSummaries(event) else { return nil }
      return ListEvent(
        before: ListSnapshot(content: EntityRows<E>(view: event.before)), changes: changes,
        after: ListSnapshot(content: EntityRows<E>(view: event.after)), versions: event.versions)
    }
  }

  /// Shows the commits since `pause()` and delivers them as one event, the net difference, in the
  /// model's delivery context.
  ///
  /// Nothing is delivered if there is no difference.
  public func resume() { follower.resume() }
}
