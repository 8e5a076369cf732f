public import EntityStore
public import FetchedObjects
public import Relays

/// A cache tracker that is based on a ``/FetchedObjects/FetchedObjectsModel``.
///
///     let tracker = FetchedObjectsCacheTracker<Car, CarCell>(in: store, delivery: .mainActor) {
///       CarCell(title: $0.model)
///     }
///     token = tracker.batches.subscribe(on: .mainActor) { table.apply($0) }
///     try tracker.start(with: request)
///
/// It supports every query that a model supports. Each inserted or changed object is transformed
/// once for each batch, in the tracker's delivery context. Without subscribers, nothing is
/// transformed. Trackers and models with equal requests share one result.
///
/// - Complexity: A commit costs as much as for the model: O(*k* log *n*), where *k* is the number
///   of objects that it may affect and *n* the number of objects in the result. After a pull
///   between a commit and its batch, and for another request, the two results are compared in
///   O(*n*).
public final class FetchedObjectsCacheTracker<E: Entity, Output: Sendable>: CacheTracker {
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
    let model = try FetchedObjectsModel(
      request.query, in: core.store, delivery: core.delivery, policy: .every)
    let source = try ModelSource(
      model, in: core.store, publisher: core.publisher, errors: core.outlet.errors
    ) { $0 }
    core.publisher.follow(source, tag: request, beginning)
  }

  /// Returns the current objects as a batch of insertions, in the order of the list.
  ///
  /// The following batches continue from it.
  public func transactionBatchFromCurrentCache() -> CacheTransactionBatch<Output> {
    core.pull()
  }

  /// Keeps the visible list until ``resume()``; see ``CacheTracker/pause()``.
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
