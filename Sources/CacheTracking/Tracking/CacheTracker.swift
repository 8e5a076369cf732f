public import EntityStore
public import Relays

/// Follows what a request describes and turns changes into batches of transactions.
///
/// An interactor owns it. The first batch is pulled and the later ones are pushed, or all are pushed; they
/// have the same type either way:
///
///     token = tracker.batches.subscribe { output.didProcess($0) }
///     try tracker.start(with: request)
///
/// Every batch leads on from the list that the batches before it, or the last pull, led to. So who applies
/// what comes, in the order it comes, has the list. There is one batch for each commit that concerns the
/// result, and none for any other. A batch is never empty, but for the first one of ``start(with:)``.
///
/// A pull is answered anywhere, but only in the tracker's place can nothing come between the answer and its use;
/// elsewhere use ``start(with:)``. Subscriptions don't keep a tracker alive; its owner does.
///
/// ``FetchedObjectsCacheTracker``, ``RefetchingCacheTracker`` and ``IndexOnlyCacheTracker`` pass one suite of tests. The
/// first and the last show a commit before any callback of that commit runs in their place, and deliver its batch there
/// in the order in which their requests were set up. ``RefetchingCacheTracker`` says where it differs.
public protocol CacheTracker<E, Output>: AnyObject, Sendable {
  /// What is tracked.
  associatedtype E: Entity
  /// What the batches carry.
  associatedtype Output: Sendable

  /// Starts to follow `request`, in place of the one before.
  ///
  /// The first time nothing is delivered: pull the first batch. Later the difference between the two results is
  /// delivered as one batch, unless there is none.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the objects can't be read; then the request before stays.
  func setup(with request: CacheRequest<E>) throws

  /// Starts to follow `request`, and delivers also the first batch: the objects as insertions, in order.
  ///
  /// It comes before any other batch, whoever commits meanwhile, and also if it is empty. Later, and after a pull,
  /// it is the same as ``setup(with:)``.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the objects can't be read; then the request before stays.
  func start(with request: CacheRequest<E>) throws

  /// The current objects as a batch of insertions, in the order of the list.
  ///
  /// The batches that follow lead on from it. Without a request it is empty.
  ///
  /// - Complexity: O(*n*), where *n* is the number of objects.
  func transactionBatchFromCurrentCache() -> CacheTransactionBatch<Output>

  /// The request that is followed.
  var request: CacheRequest<E>? { get }

  /// The titles of the sections of the list as it is shown; one, "", if it is flat.
  ///
  /// That is the list that the last batch led to or, in a callback that comes before the batch of the same commit,
  /// that one leads to.
  var sectionTitles: [String] { get }

  /// The batches.
  var batches: Signal<CacheTransactionBatch<Output>> { get }

  /// Errors of reading; the list stays, and the next commit to any object of an entity that it reads
  /// reads it again.
  var errors: Signal<any Error> { get }

  /// Is called with each batch, before the subscribers.
  ///
  /// Held weakly.
  var delegate: (any CacheTrackerDelegate<Output>)? { get set }
}
