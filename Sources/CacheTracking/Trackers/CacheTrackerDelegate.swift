/// A delegate that receives a tracker's batches.
///
/// A delegate is called in the tracker's delivery context. If it is a class of the main actor, or
/// an actor, it states where it runs:
///
///     @MainActor final class Interactor: CacheTrackerDelegate {
///       nonisolated func cacheTracker(
///         _ tracker: any CacheTracker, didProcess batch: CacheTransactionBatch<Cell>
///       ) {
///         MainActor.assumeIsolated { output?.didProcess(batch) }  // a tracker that delivers there
///       }
///     }
///
/// A closure needs less code: `tracker.batches.subscribe(on: .mainActor) { … }`.
public protocol CacheTrackerDelegate<Output>: AnyObject, Sendable {
  /// The type of the values that batches carry.
  associatedtype Output: Sendable

  /// Called with each batch of the tracker.
  func cacheTracker(_ tracker: any CacheTracker, didProcess batch: CacheTransactionBatch<Output>)
}
