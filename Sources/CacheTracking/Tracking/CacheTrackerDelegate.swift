/// Somebody who is told of a tracker's batches.
///
/// A delegate is called in the tracker's place, so a class of the main actor, or an actor, says where it is:
///
///     @MainActor final class Interactor: CacheTrackerDelegate {
///       nonisolated func cacheTracker(
///         _ tracker: any CacheTracker, didProcess batch: CacheTransactionBatch<Cell>
///       ) {
///         MainActor.assumeIsolated { output?.didProcess(batch) }  // a tracker that delivers there
///       }
///     }
///
/// Closures need less: `tracker.batches.subscribe(on: .mainActor) { … }`.
public protocol CacheTrackerDelegate<Output>: AnyObject, Sendable {
  /// What the batches carry.
  associatedtype Output: Sendable

  /// A batch has come in.
  func cacheTracker(_ tracker: any CacheTracker, didProcess batch: CacheTransactionBatch<Output>)
}
