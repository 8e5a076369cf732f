public import EntityStore
public import ListDiffing
public import Relays

/// Follows what a request describes and turns changes into batches of transactions.
///
/// An interactor owns it: the first batch is pulled, the later ones are pushed, and both have the
/// same type.
///
///     try tracker.setup(with: request)
///     output.didProcess(tracker.transactionBatchFromCurrentCache())
///     token = tracker.batches.subscribe { output.didProcess($0) }
public protocol CacheTracker<E, Output>: AnyObject, Sendable {
  /// What is tracked.
  associatedtype E: Entity
  /// What the batches carry.
  associatedtype Output: Sendable

  /// Starts to follow `request`, in place of the one before. If there was one, the difference is
  /// delivered as a batch.
  ///
  /// - Throws: ``StoreError`` if the objects can't be read; then the request before stays.
  func setup(with request: CacheRequest<E>) throws

  /// The current objects as a batch of insertions, in the order of the list.
  func transactionBatchFromCurrentCache() -> CacheTransactionBatch<Output>

  /// One batch for each change of the result, and none for any other commit.
  var batches: Signal<CacheTransactionBatch<Output>> { get }

  /// Called with each batch too.
  var delegate: (any CacheTrackerDelegate<Output>)? { get set }
}

/// Somebody who is told of a tracker's batches.
public protocol CacheTrackerDelegate<Output>: AnyObject, Sendable {
  /// What the batches carry.
  associatedtype Output: Sendable

  /// A batch has come in.
  func cacheTracker(didProcess batch: CacheTransactionBatch<Output>)
}
