public import EntityStore
public import FetchedObjects
public import Relays

/// A cache tracker that fetches its list again after each commit, and compares the two lists by id.
///
///     let tracker = RefetchingCacheTracker<Car, CarCell>(in: store, delivery: .mainActor) {
///       CarCell(title: $0.model)
///     }
///     token = tracker.batches.subscribe(on: .mainActor) { table.apply($0) }
///     try tracker.start(with: request)
///
/// It leads to the same lists as a ``FetchedObjectsCacheTracker``, but in the simplest way. It
/// shares nothing with models, so each of the two can be used to check the other. It suits lists of
/// some hundreds of rows, and stores that seldom change.
///
/// It applies a commit when `Store.commits` delivers it in the tracker's delivery context.
/// Callbacks of models that run earlier still see the previous list. Commits that wait there may be
/// delivered as one batch.
///
/// - Complexity: Each commit costs a fetch, and O(*n* log *n*) to compare, where *n* is the number
///   of objects in the result.
public final class RefetchingCacheTracker<E: Entity, Output: Sendable>: CacheTracker {
  private typealias Core = TrackerCore<E, ListSnapshot<EntityView<E>>, Output>

  private let core: Core

  /// Creates a tracker that doesn't follow a request yet.
  ///
  /// - Parameters:
  ///   - store: The store of the objects.
  ///   - delivery: The context in which batches are made and delivered.
  ///   - transform: A closure that returns the output of a batch for an object.
  public init(
    in store: Store, delivery: Delivery = .immediate,
    transform: @escaping @Sendable (EntityView<E>) -> Output
  ) {
    core = Core(in: store, delivery: delivery, output: transform)
    core.outlet.belong(to: self)
  }

  /// Starts to follow `request`; see ``CacheTracker/setup(with:)``.
  ///
  /// The difference from an earlier request is delivered in the tracker's delivery context. For
  /// `.immediate` outside a callback, that is before this method returns. Otherwise it is later.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the objects can't be read.
  public func setup(with request: CacheRequest<E>) throws { try follow(request, .known) }

  /// Starts to follow `request` and delivers the first batch; see ``CacheTracker/start(with:)``.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the objects can't be read.
  public func start(with request: CacheRequest<E>) throws { try follow(request, .published) }

  private func follow(_ request: CacheRequest<E>, _ beginning: Core.Publisher.Beginning) throws {
    let source = try RefetchingSource(
      request.query, in: core.store, delivery: core.delivery, publisher: core.publisher,
      errors: core.outlet.errors)
    core.publisher.follow(source, tag: request, beginning)
  }

  /// Returns the current objects as a batch of insertions, in the order of the list.
  ///
  /// The following batches continue from it.
  public func transactionBatchFromCurrentCache() -> CacheTransactionBatch<Output> {
    core.pull()
  }

  /// Keeps the visible list until ``resume()``; see ``CacheTracker/pause()``.
  ///
  /// It still fetches after each commit.
  public func pause() { core.pause() }

  /// Delivers the changes since ``pause()`` as one batch; see ``CacheTracker/resume()``.
  public func resume() { core.resume() }

  /// The request that the tracker follows.
  public var request: CacheRequest<E>? { core.publisher.tag }

  /// The titles of the sections of the visible list; see ``CacheTracker/sectionTitles``.
  public var sectionTitles: [String] { core.sectionTitles }

  /// A signal with one batch for each change of the result and each later request, and none for
  /// other commits.
  public var batches: Signal<CacheTransactionBatch<Output>> { core.outlet.batches.signal }

  /// A signal of reading errors.
  public var errors: Signal<any Error> { core.outlet.errors.signal }

  /// The delegate, which is called with each batch before the subscribers.
  ///
  /// Held weakly.
  public var delegate: (any CacheTrackerDelegate<Output>)? {
    get { core.outlet.delegate }
    set { core.outlet.delegate = newValue }
  }
}
