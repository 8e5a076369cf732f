public import EntityStore
public import FetchedObjects
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
/// It stands on an ``/FetchedObjects/IndexedObjectsModel``: for each row it keeps some 14 bytes, never the object. Objects are read
/// when asked for, at the newest version of the store, and the last few are kept. An object that has been deleted since
/// is nil; the batch that says so is on its way.
///
/// After a pull and for another request a row of which it isn't known whether it has changed counts as updated.
///
/// - Precondition: A request's query has no limit and no offset.
public final class IndexOnlyCacheTracker<E: Entity, Object: Sendable>: CacheTracker,
  IndexedObjectSource
{
  /// Batches carry nothing.
  public typealias Output = Void
  private typealias Core = TrackerCore<E, TrackedIndex<E>, Void>

  private let core: Core
  private let cacheCapacity: Int
  private let transform: @Sendable (EntityView<E>) -> Object

  /// Creates a tracker that follows nothing yet.
  ///
  /// - Parameters:
  ///   - store: Where the objects live.
  ///   - delivery: Where batches are made and delivered.
  ///   - cacheCapacity: How many objects are kept: a few screens' rows.
  ///   - transform: Makes what is given of an object; it is called for each object that is asked for.
  /// - Precondition: The capacity isn't negative.
  public init(
    in store: Store, delivery: Delivery = .immediate, cacheCapacity: Int = 200,
    transform: @escaping @Sendable (EntityView<E>) -> Object
  ) {
    mustHold(cacheCapacity >= 0, "A cache of \(cacheCapacity) objects; use 0 or more")
    self.transform = transform
    self.cacheCapacity = cacheCapacity
    core = Core(in: store, delivery: delivery) { _, _ in }
    core.outlet.belong(to: self)
  }

  /// Starts to follow `request`; see ``CacheTracker/setup(with:)``.
  ///
  /// Throws also ``/EntityStore/StoreError/notIndexable(entity:part:)`` if SQL can't express the query, and
  /// ``/EntityStore/StoreError/rowNumbersUnsupported`` if the storage numbers no rows.
  ///
  /// The difference to an earlier request is delivered in the tracker's place: before this returns for `.immediate`
  /// outside a callback, and later otherwise.
  public func setup(with request: CacheRequest<E>) throws { try follow(request, .known) }

  /// Starts to follow `request` and delivers the first batch; see ``CacheTracker/start(with:)``.
  public func start(with request: CacheRequest<E>) throws { try follow(request, .published) }

  private func follow(_ request: CacheRequest<E>, _ beginning: Core.Publisher.Beginning) throws {
    let source = try IndexSource(
      request.query, in: core.store, delivery: core.delivery, cacheCapacity: cacheCapacity,
      publisher: core.publisher, errors: core.outlet.errors)
    core.publisher.follow(source, tag: request, beginning)
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
    let list = core.publisher.shown
    let paths = Array(paths)
    for path in paths where list?.snapshot.contains(path) != true {
      mistake("There is no row at \(path); the tracker's list has \(list?.rowCounts ?? []) rows")
    }
    guard let list else { return [] }
    return try list.model.viewsIfShown(at: paths).map { $0.map(transform) }
  }

  /// How many objects are kept at present.
  public var cachedObjectCount: Int { core.publisher.shown?.model.cachedObjectCount ?? 0 }

  /// The number of rows of each section of the list as it is shown.
  public var rowCounts: [Int] { core.publisher.shown?.rowCounts ?? [] }

  /// The current list as a batch of insertions, in order, without objects.
  ///
  /// The batches that follow lead on from it.
  public func transactionBatchFromCurrentCache() -> CacheTransactionBatch<Void> {
    core.pull()
  }

  /// The request that is followed.
  public var request: CacheRequest<E>? { core.publisher.tag }

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
