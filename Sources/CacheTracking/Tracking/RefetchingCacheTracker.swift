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
/// It leads to the same lists as a ``FetchedObjectsCacheTracker`` by the plainest means, so each is a check on the other:
/// it shares nothing with models. It suits lists of some hundreds of rows and stores that seldom change.
///
/// It shows a commit when `Store.commits` delivers it in the tracker's place, so callbacks of models that are called
/// before still find the list before. Commits that wait there may come as one batch.
///
/// - Complexity: A commit costs a fetch, whatever it changes, and O(*n* log *n*) to compare, where *n* is the number of
///   objects in the result.
public final class RefetchingCacheTracker<E: Entity, Output: Sendable>: CacheTracker {
  private typealias Core = TrackerCore<E, FetchedObjectsSnapshot<E>, Output>

  private let core: Core

  /// Creates a tracker that follows nothing yet.
  ///
  /// - Parameters:
  ///   - store: Where the objects live.
  ///   - delivery: Where batches are made and delivered.
  ///   - transform: Makes what the batches carry of an object.
  public init(
    in store: Store, delivery: Delivery = .immediate,
    transform: @escaping @Sendable (EntityView<E>) -> Output
  ) {
    core = Core(in: store, delivery: delivery) { transform($0[$1]) }
    core.outlet.belong(to: self)
  }

  /// Starts to follow `request`; see ``CacheTracker/setup(with:)``.
  ///
  /// The difference to an earlier request is delivered in the tracker's place: before this returns for `.immediate`
  /// outside a callback, and later otherwise.
  public func setup(with request: CacheRequest<E>) throws { try follow(request, .known) }

  /// Starts to follow `request` and delivers the first batch; see ``CacheTracker/start(with:)``.
  public func start(with request: CacheRequest<E>) throws { try follow(request, .published) }

  private func follow(_ request: CacheRequest<E>, _ beginning: Core.Publisher.Beginning) throws {
    let source = try RefetchingSource(
      request.query, in: core.store, delivery: core.delivery, publisher: core.publisher,
      errors: core.outlet.errors)
    core.publisher.follow(source, tag: request, beginning)
  }

  /// The current objects as a batch of insertions, in the order of the list.
  ///
  /// The batches that follow lead on from them.
  public func transactionBatchFromCurrentCache() -> CacheTransactionBatch<Output> {
    core.pull()
  }

  /// The request that is followed.
  public var request: CacheRequest<E>? { core.publisher.tag }

  /// The titles of the sections of the list as it is shown; see ``CacheTracker/sectionTitles``.
  public var sectionTitles: [String] { core.sectionTitles }

  /// One batch for each change of the result, and none for any other commit.
  public var batches: Signal<CacheTransactionBatch<Output>> { core.outlet.batches.signal }

  /// Errors of reading.
  public var errors: Signal<any Error> { core.outlet.errors.signal }

  /// Called with each batch, before the subscribers.
  ///
  /// Held weakly.
  public var delegate: (any CacheTrackerDelegate<Output>)? {
    get { core.outlet.delegate }
    set { core.outlet.delegate = newValue }
  }
}
