public import EntityStore
public import ListDiffing
public import Relays

/// A cache tracker that keeps its own sorted list from a store's commits, without a model.
///
///     let tracker = CommitCacheTracker<Car, CarCell>(in: store, delivery: .mainActor) {
///       CarCell(title: $0.model)
///     }
///     token = tracker.batches.subscribe(on: .mainActor) { table.apply($0) }
///     try tracker.start(with: request)
///
/// It says the same as a ``FetchedObjectsCacheTracker`` and shares nothing with other trackers or with models: each
/// commit is taken in from the changes it names. Its list is plain arrays, one for each section, which suits lists of
/// some thousands of rows; a model's trees suit any size.
///
/// - Complexity: A commit costs O(*k* log *n*) comparisons, where *k* is the number of objects that it may concern and
///   *n* that in the result, and a copy of the arrays of the sections that it changes.
/// - Precondition: A request's query has no limit and no offset.
public final class CommitCacheTracker<E: Entity, Output: Sendable>: CacheTracker {
  private typealias Core = TrackerCore<E, CommittedList, Output>

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
    core = Core(in: store, delivery: delivery) { list, path in
      guard let view: EntityView<E> = list[path].view(list.plan) else {
        preconditionFailure("A tracker's list has lost the object of row \(path)")
      }
      return transform(view)
    }
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
    let source = try core.source(of: request, keepsObjects: true)
    core.teller.follow(source, tag: request, beginning)
  }

  /// The current objects as a batch of insertions, in the order of the list.
  ///
  /// The batches that follow lead on from them.
  public func transactionBatchFromCurrentCache() -> CacheTransactionBatch<Output> {
    core.pull()
  }

  /// The request that is followed.
  public var request: CacheRequest<E>? { core.teller.tag }

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

extension CommittedRow {
  /// The object with what its request includes, or nil if the row keeps no object.
  func view<E: Entity>(_ plan: CommittedPlan) -> EntityView<E>? {
    object.map { EntityView(ResultRow(row: $0, values: values), plan.plan) }
  }
}
