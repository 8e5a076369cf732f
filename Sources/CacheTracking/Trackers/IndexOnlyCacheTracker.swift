public import EntityStore
@_spi(Inspection) public import FetchedObjects
public import ListDiffing
internal import Locking
public import Relays

/// A cache tracker for endless lists.
///
/// Its batches carry only positions, and objects are requested by their paths.
///
///     let tracker = IndexOnlyCacheTracker<Car, CarCell>(in: store, delivery: .mainActor) {
///       CarCell(title: $0.model)
///     }
///     // rowCounts is [0] at first: an empty flat list
///     token = tracker.batches.subscribe(on: .mainActor) { [weak self] batch in
///       guard let self else { return }
///       table.performBatchUpdates(batch.changes, of: rowCounts) {
///         self.rowCounts = self.tracker.rowCounts
///       }
///     }
///     try tracker.start(with: request)
///     // for a row that comes on screen
///     try tracker.object(at: path)
///
/// It is based on an ``/FetchedObjects/IndexedObjectsModel``. For each row it keeps about 14 bytes,
/// never the object. Objects are read on request, at the newest version of the store, and the last
/// few are kept. An object that has been deleted since is nil. The batch with its deletion follows.
///
/// After an external commit, after a pull, for another request, and after a pause that another
/// thread begins during a commit, a row counts as updated if nothing says whether it has changed.
public final class IndexOnlyCacheTracker<E: Entity, Object: Sendable>: CacheTracker,
  IndexedObjectSource
{
  /// The batches carry no values.
  public typealias Output = Void
  private typealias Core = TrackerCore<E, TrackedIndex<E>, Void>

  private let core: Core
  private let cacheCapacity: Int
  private let transform: @Sendable (EntityView<E>) -> Object

  /// Creates a tracker that doesn't follow a request yet.
  ///
  /// - Parameters:
  ///   - store: The store of the objects.
  ///   - delivery: The context in which batches are made and delivered.
  ///   - cacheCapacity: The number of objects to keep: the rows of a few screens.
  ///   - transform: A closure that returns the result for an object. It is called for each
  ///     requested object.
  /// - Precondition: The capacity isn't negative.
  public init(
    in store: Store, delivery: Delivery = .immediate, cacheCapacity: Int = 200,
    transform: @escaping @Sendable (EntityView<E>) -> Object
  ) {
    mustHold(cacheCapacity >= 0, "A cache of \(cacheCapacity) objects; use 0 or more")
    self.transform = transform
    self.cacheCapacity = cacheCapacity
    core = Core(in: store, delivery: delivery) { _ in }
    core.outlet.belong(to: self)
  }

  /// Starts to follow `request`; see ``CacheTracker/setup(with:)``.
  ///
  /// The difference from an earlier request is delivered in the tracker's delivery context. For
  /// `.immediate` outside a callback, that is before this method returns. Otherwise it is later.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the objects can't be read.
  ///   ``/EntityStore/StoreError/notIndexable(entity:part:)`` if SQL can't express the query.
  ///   ``/EntityStore/StoreError/rowNumbersUnsupported`` if the storage has no row numbers.
  public func setup(with request: CacheRequest<E>) throws { try follow(request, .known) }

  /// Starts to follow `request` and delivers the first batch; see ``CacheTracker/start(with:)``.
  ///
  /// - Throws: The same errors as ``setup(with:)``.
  public func start(with request: CacheRequest<E>) throws { try follow(request, .published) }

  private func follow(_ request: CacheRequest<E>, _ beginning: Core.Publisher.Beginning) throws {
    let model = try IndexedObjectsModel(
      request.query, in: core.store, delivery: core.delivery, policy: .every,
      cacheCapacity: cacheCapacity)
    let source = try ModelSource(
      model, in: core.store, publisher: core.publisher, errors: core.outlet.errors
    ) { TrackedIndex(model: model, snapshot: $0) }
    core.publisher.follow(source, tag: request, beginning)
  }

  /// Returns the object at a path of the visible list, or nil if it has been deleted since.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if it can't be read.
  /// - Precondition: The path is in the list.
  /// - Complexity: One read for each call, or none if the object is kept. For a screen of rows, use
  ///   ``objects(at:)``.
  public func object(at path: ListPath) throws -> Object? { try objects(at: [path])[0] }

  /// Returns the objects at some paths of the visible list, read together at one version.
  ///
  /// An object that has been deleted since is nil.
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

  /// The number of objects that are kept at present.
  public var cachedObjectCount: Int { core.publisher.shown?.model.cachedObjectCount ?? 0 }

  /// The number of rows in each section of the visible list.
  public var rowCounts: [Int] { core.publisher.shown?.rowCounts ?? [] }

  /// Returns the current list as a batch of insertions, in order, without objects.
  ///
  /// The following batches continue from it.
  public func transactionBatchFromCurrentCache() -> CacheTransactionBatch<Void> {
    core.pull()
  }

  /// Keeps the visible list until ``resume()``; see ``CacheTracker/pause()``.
  ///
  /// ``object(at:)`` takes the paths of the visible list. Objects are still read at the newest
  /// version of the store. For the batch, the tracker keeps the old and the new rows of all changes
  /// made meanwhile.
  public func pause() { core.pause() }

  /// Delivers the changes since ``pause()`` as one batch; see ``CacheTracker/resume()``.
  public func resume() { core.resume() }

  /// The request that the tracker follows.
  public var request: CacheRequest<E>? { core.publisher.tag }

  /// The titles of the sections of the visible list; see ``CacheTracker/sectionTitles``.
  public var sectionTitles: [String] { core.sectionTitles }

  /// A signal with one batch for each change of the result and each later request, and none for
  /// other commits.
  public var batches: Signal<CacheTransactionBatch<Void>> { core.outlet.batches.signal }

  /// A signal of reading errors.
  public var errors: Signal<any Error> { core.outlet.errors.signal }

  /// The delegate, which is called with each batch before the subscribers.
  ///
  /// Held weakly.
  public var delegate: (any CacheTrackerDelegate<Void>)? {
    get { core.outlet.delegate }
    set { core.outlet.delegate = newValue }
  }
}
