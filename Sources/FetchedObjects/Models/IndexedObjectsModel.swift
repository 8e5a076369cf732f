public import EntityStore
public import ListDiffing
internal import Locking
public import Relays

/// Keeps the order of a query's result up to date, and reads its objects when they are asked for: for
/// lists of a million rows.
///
///     let cars = try IndexedObjectsModel(query, in: store, delivery: .mainActor)
///     let token = cars.didChange.subscribe(on: .mainActor) { [weak self] event in
///       self?.table.performBatchUpdates(event) { self?.shown = event.after }
///     }
///     // for a row that comes on screen
///     if let car = try cars.object(at: path) { cell.show(car) }
///
/// It is a ``FetchedObjectsModel`` without the objects. For each row it keeps eight bytes of how the key
/// begins and the storage's row number, some 14 bytes in all, or 24 where numbers need more than 31
/// bits. Its events are those of a `FetchedObjectsModel` of the same query, move for move. What it can't
/// promise is what needs the objects of a version that has passed: objects and ids are read at the newest
/// version of the store, which may be later than what is shown, and are nil for a row deleted since. An
/// object that is given is always that of the row, though its number may have become another's.
///
/// A few objects are kept, the last that were read. Rows near the one that is asked for are read with it.
///
/// After an error of reading, the next commit makes the result anew. The rows are then told by their
/// numbers, and each counts as updated.
///
/// - Precondition: The query has no limit and no offset.
/// - Complexity: a commit costs O(*k* log *n*), where *k* is the number of objects it may concern and
///   *n* the number in the result, and reads O(*k* log *n*) rows at most: those whose keys begin alike.
public final class IndexedObjectsModel<E: Entity>: Sendable {
  /// The query.
  public let query: Query<E>
  let follower: IndexFollower
  private let batchSize: Int
  let didChangeRelay: Relay<IndexedObjectsEvent>
  let errorRelay: Relay<any Error>
  private let observers: ShownEventObservers<IndexedObjectsSnapshot>

  deinit { follower.end() }

  /// Reads the order of the result of `query` and keeps it up to date.
  ///
  /// - Parameters:
  ///   - query: which objects, in which order.
  ///   - store: where they live.
  ///   - delivery: where the model changes and calls its subscribers.
  ///   - policy: one event for each commit, or one for all that wait; by default each for
  ///     `.immediate`, the latest on an actor.
  ///   - cacheCapacity: how many objects are kept: a few screens' rows.
  ///   - batchSize: how many rows are read at once, where one of them is asked for; no more than half of
  ///     `cacheCapacity`, and at least one.
  /// - Throws: ``/EntityStore/StoreError`` if the result can't be read: ``/EntityStore/StoreError/notIndexable(entity:part:)`` if
  ///   SQL can't say the query, ``/EntityStore/StoreError/rowNumbersUnsupported`` if the storage numbers no rows.
  /// - Precondition: The query has no limit and no offset, the capacity isn't negative, and a batch has
  ///   a row.
  public init(
    _ query: Query<E>, in store: Store, delivery: Delivery = .immediate,
    policy: DeliveryPolicy? = nil, cacheCapacity: Int = 200, batchSize: Int = 50
  ) throws {
    mustHold(
      query.description.limit == nil && query.description.offset == 0,
      "An index-only result has no window; leave out the limit, or use a FetchedObjectsModel")
    mustHold(cacheCapacity >= 0, "A cache of \(cacheCapacity) objects; use 0 or more")
    mustHold(batchSize > 0, "A batch of \(batchSize) rows; use 1 or more")
    self.query = query
    // A full cache forgets its older half: a batch must not push itself out.
    self.batchSize = max(1, min(batchSize, cacheCapacity / 2))
    let didChange = Relay<IndexedObjectsEvent>()
    let errors = Relay<any Error>()
    didChangeRelay = didChange
    errorRelay = errors
    let observers = ShownEventObservers<IndexedObjectsSnapshot>()
    self.observers = observers
    follower = try IndexFollower(
      query.description, in: store, delivery: delivery, policy: policy,
      cacheCapacity: cacheCapacity,
      shown: { event in
        observers.show(
          ShownEvent(
            before: IndexedObjectsSnapshot(index: event.before),
            after: IndexedObjectsSnapshot(index: event.after),
            lazyChanges: LazyChanges { ListChanges(event.difference.step) }))
      },
      event: { event in
        defer { observers.notify() }
        // What nobody subscribes to isn't worked out.
        guard didChange.hasSubscribers else { return }
        let changes = ListChanges(event.difference.step)
        guard !changes.isEmpty else { return }
        didChange.send(
          IndexedObjectsEvent(
            before: IndexedObjectsSnapshot(index: event.before), changes: changes,
            after: IndexedObjectsSnapshot(index: event.after), versions: event.versions))
      },
      error: { errors.send($0) })
  }

  /// Reads the order of the result of `query` off the caller's thread, and keeps it up to date.
  ///
  /// A caller that is cancelled meanwhile still waits for it.
  ///
  /// - Parameters:
  ///   - query: which objects, in which order.
  ///   - store: where they live.
  ///   - delivery: where the model changes and calls its subscribers.
  ///   - policy: as in the initialiser.
  ///   - cacheCapacity: how many objects are kept: a few screens' rows.
  ///   - batchSize: how many rows are read at once, where one of them is asked for.
  /// - Returns: the model, with its first order.
  /// - Throws: what the initialiser throws.
  /// - Precondition: as in the initialiser.
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

  // MARK: Order

  /// The order, sections and counts that are shown now.
  public var snapshot: IndexedObjectsSnapshot { IndexedObjectsSnapshot(index: follower.shown) }

  /// The number of rows.
  public var count: Int { snapshot.count }

  /// The sections, in order.
  public var sections: IndexedSectionList { snapshot.sections }

  /// The path at which the object with an id is shown, or nil.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if rows can't be read.
  /// - Complexity: O(log *n*) reads, of rows whose keys begin alike.
  public func path(for id: E.ID) throws -> ListPath? {
    try follower.path(of: E.schema.stored(id))
  }

  // MARK: Objects

  /// The object of the row at a path, as it is in the newest version; nil if it has been deleted since.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if it can't be read.
  /// - Precondition: The path is in what is shown.
  /// - Complexity: one read for a batch of rows, or none if the object is kept.
  public func object(at path: ListPath) throws -> E? { try view(at: path)?.value }

  /// The object of the row at a path with what the query includes, as of the newest version; nil if it has been
  /// deleted since.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if it can't be read.
  /// - Precondition: The path is in what is shown.
  public func view(at path: ListPath) throws -> EntityView<E>? {
    try row(at: path).map { EntityView($0, follower.live.plan) }
  }

  /// The id of the row at a path; nil if it has been deleted since.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if it can't be read.
  /// - Precondition: The path is in what is shown.
  public func id(at path: ListPath) throws -> E.ID? { try view(at: path)?.id }

  /// The objects of the rows at some paths, read together at one version; nil for those that have been
  /// deleted since.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if they can't be read.
  /// - Precondition: The paths are in what is shown.
  public func objects(at paths: some Sequence<ListPath>) throws -> [E?] {
    try follower.rows(at: Array(paths)).map { $0?.row.value(as: E.self) }
  }

  /// Reads the rows at some paths that will soon be asked for.
  ///
  /// No more objects are kept than the model's `cacheCapacity`, and at times only half as many; of more paths than
  /// that half, the first may be read in vain.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if they can't be read.
  /// - Precondition: The paths are in what is shown.
  public func prefetch(_ paths: some Sequence<ListPath>) throws {
    _ = try follower.rows(at: Array(paths))
  }

  /// The rows at some paths of a snapshot that the model may have left behind; nil also for a path that what it
  /// shows now hasn't got.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if they can't be read.
  package func viewsIfShown(at paths: [ListPath]) throws -> [EntityView<E>?] {
    let rows = try follower.rows(at: paths, mayBeGone: true)
    return rows.map { $0.map { EntityView($0, follower.live.plan) } }
  }

  /// Calls an observer with the events from now on.
  package func add(_ observer: ShownEventObserver<IndexedObjectsSnapshot>) {
    observers.add(observer)
  }

  private func row(at path: ListPath) throws -> ResultRow? {
    if let row = follower.keptRow(at: path) { return row }
    let shown = follower.shown
    guard batchSize > 1, shown.contains(path) else { return try follower.rows(at: [path])[0] }
    let start = path.row / batchSize * batchSize
    let end = min(start + batchSize, shown.sections[path.section].rows.count)
    let near = (start..<end).map { ListPath(section: path.section, row: $0) }
    return try follower.rows(at: [path], reading: near)[0]
  }

  /// How many objects are kept at present.
  public var cachedObjectCount: Int { follower.cache.count }

  // MARK: Events

  /// Keeps what the model shows until `resume()`.
  ///
  /// What changes meanwhile is kept with its rows, old and new, for the net event.
  public func pause() { follower.pause() }

  /// Shows what has come since `pause()` and tells it as one event, the net difference, in the model's
  /// place; if there is none, nothing is told.
  public func resume() { follower.resume() }

  /// Sends each event.
  public var didChange: Signal<IndexedObjectsEvent> { didChangeRelay.signal }

  /// The last error of reading, until a commit has been read again.
  public var error: (any Error)? { follower.error }

  /// Errors of reading in commits.
  ///
  /// The last result stays, and the next commit to any object of an entity that it reads reads it anew.
  public var errors: Signal<any Error> { errorRelay.signal }

  /// How much work the result has been, counted.
  public var work: ResultWork { follower.live.work }
}
