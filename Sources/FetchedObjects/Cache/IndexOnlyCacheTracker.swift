public import EntityStore
public import ListDiffing
internal import Locking
public import Relays

/// A cache tracker for endless lists: its batches carry positions only, and objects are asked for by their paths.
///
///     let tracker = IndexOnlyCacheTracker<Car, CarCell>(in: store, delivery: .mainActor) {
///       CarCell(title: $0.model)
///     }
///     // rowCounts is [0] at first: an empty flat list
///     token = tracker.batches.subscribe(on: .mainActor) { [weak self] batch in
///       guard let self else { return }
///       table.performBatchUpdates(batch.changes, of: rowCounts) { self.rowCounts = self.tracker.rowCounts }
///     }
///     try tracker.start(with: request)
///     // for a row that comes on screen
///     try tracker.object(at: path)
///
/// For each row of the result it keeps the id, the values of the order's keys and what the request reads of other
/// objects, never the object. Objects are read when asked for, at the newest version of the store, and the last few
/// are kept. An object that has been deleted since is nil; the batch that says so is on its way.
///
/// Batches are those of ``CommitCacheTracker``, with nothing for objects. After a pull and for another request a row
/// of which it isn't known whether it has changed counts as updated.
///
/// - Precondition: A request's query has no limit and no offset.
public final class IndexOnlyCacheTracker<E: Entity, Object: Sendable>: CacheTracker,
  IndexedObjectSource
{
  /// Batches carry nothing.
  public typealias Output = Void
  private typealias Core = TrackerCore<E, CommittedList, Void>

  private let core: Core
  private let transform: @Sendable (EntityView<E>) -> Object
  private let cache: SharedObjectCache<StoredValue, Object>
  /// Of the request that was made last: what is read for the list of another one isn't kept.
  private let plan = Locked<CommittedPlan?>(nil)

  /// Creates a tracker that follows nothing yet.
  ///
  /// - Parameters:
  ///   - store: Where the objects live.
  ///   - delivery: Where batches are made and delivered.
  ///   - cacheCapacity: How many objects are kept: a few screens' rows.
  ///   - transform: Makes what is given of an object; it is called where that is asked for.
  /// - Precondition: The capacity isn't negative.
  public init(
    in store: Store, delivery: Delivery = .immediate, cacheCapacity: Int = 200,
    transform: @escaping @Sendable (EntityView<E>) -> Object
  ) {
    mustHold(cacheCapacity >= 0, "A cache of \(cacheCapacity) objects; use 0 or more")
    self.transform = transform
    cache = SharedObjectCache(capacity: cacheCapacity)
    core = Core(in: store, delivery: delivery) { _, _ in }
    core.outlet.belong(to: self)
  }

  /// Starts to follow `request`; see ``CacheTracker/setup(with:)``.
  ///
  /// The difference to an earlier request is delivered in the tracker's place: before this returns for `.immediate`
  /// outside a callback, and later otherwise.
  public func setup(with request: CacheRequest<E>) throws { try follow(request, .known) }

  /// Starts to follow `request` and delivers the first batch; see ``CacheTracker/start(with:)``.
  public func start(with request: CacheRequest<E>) throws { try follow(request, .told) }

  private func follow(_ request: CacheRequest<E>, _ beginning: Core.Teller.Beginning) throws {
    let source = try core.source(
      of: request, keepsObjects: false, touched: { [cache] in cache.forget($0) },
      willTell: { [weak cache] in cache?.release() })
    // Another request may include other values, and hears of other objects. In this order, so that no reader keeps
    // what it has read for the list before; and in one step, so that of two requests one wins as a whole.
    let (old, taken) = plan.withLock { plan in
      let old = plan
      plan = source.plan
      cache.forget(nil)
      return (old, core.teller.take(source, tag: request, beginning))
    }
    withExtendedLifetime(old) {}
    cache.release()
    core.teller.tell(taken)
  }

  /// The object at a path of the list as it is shown, or nil if it has been deleted since.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if it can't be read.
  /// - Precondition: The path is in the list.
  /// - Complexity: One read by id, or none if the object is kept.
  public func object(at path: ListPath) throws -> Object? { try objects(at: [path])[0] }

  /// The objects at some paths of the list as it is shown, read together at one version; nil for those
  /// that have been deleted since.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if they can't be read.
  /// - Precondition: The paths are in the list.
  public func objects(at paths: some Sequence<ListPath>) throws -> [Object?] {
    let list = core.teller.shown
    let ids = paths.map { path -> StoredValue in
      guard let list, list.contains(path) else {
        mistake(
          "There is no row at \(path); the tracker's list has \(list?.rowCounts ?? []) rows")
      }
      return list[path].id
    }
    guard let list else { return [] }
    var (found, generation) = cache.objects(ids)
    guard found.contains(where: { $0 == nil }) else { return found }
    let isNewest = plan.withLock { $0 === list.plan }
    let takenIn = core.store.takenInVersion
    let views = try core.store.readStorage { reader in
      try ids.indices.map { index -> (view: EntityView<E>, mayStay: Bool)? in
        guard found[index] == nil,
          let view = try list.plan.view(of: E.self, ids[index], reading: reader)
        else { return nil }
        // What isn't taken in yet may be undone without a trace, and of what has left the filter nothing is heard.
        let mayStay =
          try isNewest && reader.version <= takenIn
          && list.plan.plan.meetsFilter(view.result.row, reading: reader)
        return (view, mayStay)
      }
    }
    var read: [(StoredValue, Object)] = []
    for (index, element) in views.enumerated() {
      guard let (view, mayStay) = element else { continue }
      let object = transform(view)
      found[index] = object
      if mayStay { read.append((ids[index], object)) }
    }
    cache.insert(read, readAt: generation)
    return found
  }

  /// How many objects are kept at present.
  public var cachedObjectCount: Int { cache.count }

  /// The number of rows of each section of the list as it is shown.
  public var rowCounts: [Int] { core.teller.shown?.rowCounts ?? [] }

  /// The current list as a batch of insertions, in order, without objects.
  ///
  /// The batches that follow lead on from it.
  public func transactionBatchFromCurrentCache() -> CacheTransactionBatch<Void> {
    core.pull()
  }

  /// The request that is followed.
  public var request: CacheRequest<E>? { core.teller.tag }

  /// The titles of the sections of the list as it is shown; see ``CacheTracker/sectionTitles``.
  public var sectionTitles: [String] { core.sectionTitles }

  /// One batch for each change of the result, and none for any other commit.
  public var batches: Signal<CacheTransactionBatch<Void>> { core.outlet.batches.signal }

  /// Errors of reading.
  public var errors: Signal<any Error> { core.outlet.errors.signal }

  /// Called with each batch, before the subscribers.
  ///
  /// Held weakly.
  public var delegate: (any CacheTrackerDelegate<Void>)? {
    get { core.outlet.delegate }
    set { core.outlet.delegate = newValue }
  }
}

extension CommittedPlan {
  /// The object with an id and what the request includes, as the reader shows them, or nil if it isn't there.
  ///
  /// An object that no longer meets the condition is there still.
  func view<E: Entity>(
    of type: E.Type, _ id: StoredValue, reading reader: any StorageReader
  ) throws -> EntityView<E>? {
    guard let object = try reader.row(of: plan.query.entity, id: id) else { return nil }
    let row = plan.resultRow(
      object,
      values: try plan.values.map {
        try CompiledExpression($0, of: plan.query.entity).uncheckedValue(
          of: object, reading: reader)
      })
    return EntityView(row, plan)
  }
}
