public import EntityStore
public import Relays

/// An object that follows the result of a request and turns its changes into batches of
/// transactions.
///
/// An interactor owns it. Either the first batch is pulled and the later ones are pushed, or all
/// batches are pushed. They have the same type in both cases:
///
///     token = tracker.batches.subscribe { output.didProcess($0) }
///     try tracker.start(with: request)
///
/// Every batch continues from the list that the previous batch, or the last pull, led to. A
/// subscriber that applies all batches in order has the list. There is one batch for each commit
/// that changes the result, and no batch for other commits. Such a batch is never empty. If 10,000
/// events are waiting in the delivery context, further commits are merged, as
/// ``/FetchedObjects/DeliveryPolicy/every`` describes.
///
/// A request is answered by one batch with its tag, even if that batch is empty. It is the first
/// batch of ``start(with:)``, or the difference from the previous request.
///
/// A pull can be made anywhere. In the tracker's delivery context, no batch can arrive between the
/// pull and its use. Elsewhere, use ``start(with:)``. Subscriptions don't keep a tracker alive. Its
/// owner does.
///
/// ``FetchedObjectsCacheTracker``, ``RefetchingCacheTracker`` and ``IndexOnlyCacheTracker`` pass
/// the same test suite. ``FetchedObjectsCacheTracker`` and ``IndexOnlyCacheTracker`` apply a commit
/// before any callback of that commit runs in their delivery context. They deliver its batch there,
/// in the order in which their requests were set up. ``RefetchingCacheTracker`` describes where it
/// differs.
public protocol CacheTracker<E, Output>: AnyObject, Sendable {
  /// The entity to track.
  associatedtype E: Entity
  /// The type of the values that batches carry.
  associatedtype Output: Sendable

  /// Starts to follow `request` instead of the previous request.
  ///
  /// The first time, nothing is delivered: pull the first batch. Later, the difference between the
  /// two results is delivered as one batch with the new tag. It is empty if there is no difference.
  /// If another request comes before that batch, only the other request is answered. If a pull
  /// comes before it, the pull is the answer.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the objects can't be read. The tracker then still
  ///   follows the previous request.
  func setup(with request: CacheRequest<E>) throws

  /// Starts to follow `request`, and delivers a first batch that inserts all objects in order.
  ///
  /// The first batch is delivered before any other batch, even if a commit happens in the meantime,
  /// and even if it is empty. Later, and after a pull, this method does the same as
  /// ``setup(with:)``.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the objects can't be read. The tracker then still
  ///   follows the previous request.
  func start(with request: CacheRequest<E>) throws

  /// Returns the current objects as a batch of insertions, in the order of the list.
  ///
  /// The following batches continue from it. Without a request, the batch is empty.
  ///
  /// - Complexity: O(*n* + *s* log *s*), where *n* is the number of objects and *s* the number of
  ///   sections.
  func transactionBatchFromCurrentCache() -> CacheTransactionBatch<Output>

  /// Keeps the visible list until ``resume()``, for example while the screen is hidden.
  ///
  /// During the pause, no commit and no request makes a batch. This includes a request that was
  /// made before the pause, if the delivery context hasn't reached it. A list that is already
  /// visible still gets its batch. A pull during the pause may return the visible list or a newer
  /// one. Later batches continue from the list that it returns. Read errors may wait until
  /// ``resume()``, too.
  func pause()

  /// Delivers the changes since ``pause()`` as one batch, in the tracker's delivery context.
  ///
  /// The batch leads from the visible list to the current one. If the lists are equal, no batch is
  /// delivered, unless a request hasn't been answered.
  func resume()

  /// The request that the tracker follows.
  var request: CacheRequest<E>? { get }

  /// The titles of the sections of the visible list.
  ///
  /// A flat list has one, "".
  ///
  /// The visible list is the one that the last batch led to. In a callback that runs before the
  /// batch of the same commit, it is the list that this batch leads to.
  var sectionTitles: [String] { get }

  /// The batches.
  var batches: Signal<CacheTransactionBatch<Output>> { get }

  /// A signal of reading errors.
  ///
  /// After an error, the list stays. The next commit that changes an object of an entity that the
  /// list reads makes the tracker read it again.
  var errors: Signal<any Error> { get }

  /// The delegate, which is called with each batch before the subscribers.
  ///
  /// Held weakly.
  var delegate: (any CacheTrackerDelegate<Output>)? { get set }
}
