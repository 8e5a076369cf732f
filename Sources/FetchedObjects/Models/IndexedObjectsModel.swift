@_spi(Storage) public import EntityStore
public import ListDiffing
internal import Locking
public import Relays

/// A model that keeps the order of a query's result up to date and reads objects on access: for
/// lists of a million rows.
///
///     let cars = try IndexedObjectsModel(query, in: store, delivery: .mainActor)
///     let token = cars.didChange.subscribe(on: .mainActor) { [weak self] event in
///       self?.table.performBatchUpdates(event) { self?.shown = event.after }
///     }
///     // for a row that comes on screen
///     if let car = try cars.object(at: path) { cell.show(car) }
///
/// It is a ``FetchedObjectsModel`` without the objects. So no lists can be derived from it. For
/// each row it keeps eight bytes of the key's beginning and the storage's row number: some 14 bytes
/// in all, or 24 where numbers need more than 31 bits. Its events are those of a
/// `FetchedObjectsModel` of the same query, move for move, for commits of this store. After an
/// external commit to an entity that the query reads or includes, it reads its order again. Its
/// event then reports each row that stays as updated or moved, even if no row of the list has
/// changed.
///
/// It can't read the objects of an earlier version. Objects and ids are read at the newest version
/// of the store, which may be later than the shown one. They are nil for a row that has been
/// deleted since. An object that is returned always belongs to its row, even if the row number has
/// been given to another row since. If it can't be known whose row it is, the object counts as
/// deleted. So may an object that has left the filter by an external commit, or by one that
/// couldn't be read, and is still shown. In files and in servers, no object whose id is a whole
/// number counts as deleted by mistake.
///
/// The model keeps a few objects: those that were read last. A read includes the rows near the
/// requested one. A query with a limit opens a window, for events of a part of the list alone. A
/// window around a row needs the rows' ids, which this model doesn't keep. A
/// ``FetchedObjectsModel`` has such windows.
///
/// After a read error, the next commit reads the whole result again. The event then identifies rows
/// by their row numbers and reports each of them as updated.
///
/// - Complexity: A commit costs O(*k* log *n*), where *k* is the number of objects it may concern
///   and *n* the number in the result. It reads at most O(*k* log *n*) rows: those whose keys begin
///   alike. After an external commit to an entity that the query reads or includes, it is
///   O(*n* log *n*).
public final class IndexedObjectsModel<E: Entity>: ListModel {
  /// A row, of which only its position in the order is known.
  public typealias Row = IndexedRow

  /// The part that all list models have in common.
  public let core: ListCore<IndexedRow>
  /// The query, and the requests for other queries and windows.
  let requests: QueryRequests<E>
  let follower: IndexFollower
  private let batchSize: Int

  deinit { follower.end() }

  /// Reads the order of the result of `query` and keeps it up to date.
  ///
  /// - Parameters:
  ///   - query: The objects and their order.
  ///   - store: The store of the objects.
  ///   - delivery: The delivery context in which the model changes and calls its subscribers.
  ///   - policy: One event for each commit, or one for all that wait. The default is `.every` for
  ///     `.immediate` and `.coalesced` for an actor.
  ///   - cacheCapacity: The number of objects that are kept, about a few screens of rows.
  ///   - batchSize: The number of rows that are read together when one of them is requested. It is
  ///     limited to half of `cacheCapacity`, and is at least one.
  /// - Throws: ``/EntityStore/StoreError/notIndexable(entity:part:)`` if the query can't be
  ///   expressed in SQL, ``/EntityStore/StoreError/rowNumbersUnsupported`` if the storage has no
  ///   row numbers, and another ``/EntityStore/StoreError`` if the result can't be read.
  /// - Precondition: The query has no conditions of time, `cacheCapacity` isn't negative, and
  ///   `batchSize` is 1 or more.
  public init(
    _ query: Query<E>, in store: Store, delivery: Delivery = .immediate,
    policy: DeliveryPolicy? = nil, cacheCapacity: Int = 200, batchSize: Int = 50
  ) throws {
    mustHold(cacheCapacity >= 0, "A cache of \(cacheCapacity) objects; use 0 or more")
    mustHold(batchSize > 0, "A batch of \(batchSize) rows; use 1 or more")
    // A full cache drops its older half. A batch must not drop its own rows.
    self.batchSize = max(1, min(batchSize, cacheCapacity / 2))
    let signals = ListSignals<IndexedRow>()
    let publisher = ModelPublisher<IndexView, IndexedRow>(signals) { IndexRows(view: $0) }
    let follower = try IndexFollower(
      query.description, in: store, delivery: delivery, policy: policy,
      cacheCapacity: cacheCapacity, publisher)
    self.follower = follower
    core = ListCore(signals, publisher, of: follower)
    // Only a window of a model with objects stays around a row.
    requests = QueryRequests(query, of: core) { query, _, isReplaced, note in
      try follower.setQuery(query, unless: isReplaced, note: note)
    }
  }

  /// Reads the order of the result of `query` off the caller's thread, and keeps it up to date.
  ///
  /// If the caller is cancelled meanwhile, it still waits for the result.
  ///
  /// - Parameters:
  ///   - query: The objects and their order.
  ///   - store: The store of the objects.
  ///   - delivery: The delivery context in which the model changes and calls its subscribers.
  ///   - policy: The same as in the initialiser.
  ///   - cacheCapacity: The number of objects that are kept, about a few screens of rows.
  ///   - batchSize: The number of rows that are read together when one of them is requested.
  /// - Returns: The model, with its first order.
  /// - Throws: The same errors as the initialiser.
  /// - Precondition: The same as in the initialiser.
  public static func fetching(
    _ query: Query<E>, in store: Store, delivery: Delivery = .immediate,
    policy: DeliveryPolicy? = nil, cacheCapacity: Int = 200, batchSize: Int = 50
  ) async throws -> IndexedObjectsModel {
    try await Task.detached {
      try IndexedObjectsModel(
        query, in: store, delivery: delivery, policy: policy, cacheCapacity: cacheCapacity,
        batchSize: batchSize)
    }.value
  }

  /// Returns the path at which the object with an id is shown, or nil if it isn't shown.
  ///
  /// It may also be nil if the object has left the filter since, as for ``object(at:)``.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if rows can't be read.
  /// - Complexity: O(log *n*) reads, of rows whose keys begin alike.
  public func path(for id: E.ID) throws -> ListPath? {
    core.tracking.accessContent()
    return try follower.path(of: E.schema.stored(id))
  }

  // MARK: Objects

  /// Returns the object of the row at a path, as it is in the newest version, or nil if it has been
  /// deleted since.
  ///
  /// If the id isn't a whole number, or the store is in memory, it may also be nil if the object
  /// has left the filter since, by an external commit or by one that couldn't be read.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the object can't be read.
  /// - Precondition: The path is shown.
  /// - Complexity: One read for a batch of rows, or none if the object is kept.
  public func object(at path: ListPath) throws -> E? { try view(at: path)?.value }

  /// Returns the object of the row at a path with the included values, as of the newest version, or
  /// nil if it has been deleted since.
  ///
  /// It may also be nil if the object has left the filter since, as for ``object(at:)``.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the object can't be read.
  /// - Precondition: The path is shown.
  public func view(at path: ListPath) throws -> EntityView<E>? {
    try storedRow(at: path).map { EntityView($0.row, $0.plan) }
  }

  /// Returns the id of the row at a path, or nil if it has been deleted since.
  ///
  /// It may also be nil if the object has left the filter since, as for ``object(at:)``.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the row can't be read.
  /// - Precondition: The path is shown.
  public func id(at path: ListPath) throws -> E.ID? { try view(at: path)?.id }

  /// Returns the objects of the rows at some paths, read together at one version.
  ///
  /// An object is nil if it has been deleted since. It may also be nil if it has left the filter
  /// since, as for ``object(at:)``.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the objects can't be read.
  /// - Precondition: The paths are shown.
  public func objects(at paths: some Sequence<ListPath>) throws -> [E?] {
    core.tracking.accessContent()
    return try follower.rows(at: Array(paths)).rows.map { $0?.row.value(as: E.self) }
  }

  /// Reads the rows at some paths that will soon be requested.
  ///
  /// The model keeps at most `cacheCapacity` objects, and at times only half as many. With more
  /// paths than that half, the first rows may be read in vain.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the rows can't be read.
  /// - Precondition: The paths are shown.
  public func prefetch(_ paths: some Sequence<ListPath>) throws {
    _ = try follower.rows(at: Array(paths))
  }

  /// Returns the rows at some paths of a snapshot, which may be older than what the model shows.
  ///
  /// A row is nil if it has been deleted since, or if the shown list has no such path.
  package func viewsIfShown(at paths: [ListPath]) throws -> [EntityView<E>?] {
    let (rows, plan) = try follower.rows(at: paths, mayBeGone: true)
    return rows.map { $0.map { EntityView($0, plan) } }
  }

  private func storedRow(at path: ListPath) throws -> (row: ResultRow, plan: ResultPlan)? {
    core.tracking.accessContent()
    if let kept = follower.keptRow(at: path) { return kept }
    let shown = follower.shown
    var near: [ListPath]?
    if batchSize > 1, shown.contains(path) {
      let start = path.row / batchSize * batchSize
      let end = min(start + batchSize, shown.rows(ofSection: path.section).count)
      near = (start..<end).map { ListPath(section: path.section, row: $0) }
    }
    let read: (rows: [ResultRow?], plan: ResultPlan)
    do {
      read = try follower.rows(at: [path], reading: near)
    } catch let error as StoreError where error.isOfOneRow && near != nil {
      // It may be the error of another row of the batch. Another list may be shown by now.
      read = try follower.rows(at: [path], mayBeGone: true)
    }
    return read.rows[0].map { ($0, read.plan) }
  }

  /// The number of objects that are kept at present.
  @_spi(Inspection) public var cachedObjectCount: Int { follower.cache.count }

  /// Keeps the shown order until `resume()`.
  ///
  /// For the net event, the model keeps the old and the new rows of all changes made meanwhile.
  public func pause() { follower.pause() }

  /// Shows the commits since `pause()` and delivers them as one event, the net difference, in the
  /// model's delivery context.
  ///
  /// Nothing is delivered if there is no difference.
  public func resume() { follower.resume() }

  /// Counts of the work that the result has taken.
  @_spi(Inspection) public var work: ResultWork { follower.live.work }
}
