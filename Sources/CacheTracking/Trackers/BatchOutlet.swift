internal import EntityStore
internal import ListDiffing
internal import Locking
internal import Relays

/// An outlet that turns the steps of a list into batches, and delivers them.
final class BatchOutlet<E: Entity, List: TrackedList, Output: Sendable>: Sendable {
  typealias Publisher = ListPublisher<List, CacheRequest<E>>

  private struct State: Sendable {
    weak var tracker: (any CacheTracker)?
    weak var delegate: (any CacheTrackerDelegate<Output>)?
  }

  let batches = Relay<CacheTransactionBatch<Output>>()
  let errors = Relay<any Error>()
  private let state = Locked(State())
  private let output: @Sendable (List.Row) -> Output

  init(output: @escaping @Sendable (List.Row) -> Output) { self.output = output }

  /// Sets the tracker that delivers the batches.
  ///
  /// It is held weakly.
  func belong(to tracker: any CacheTracker) { state.withLock { $0.tracker = tracker } }

  var delegate: (any CacheTrackerDelegate<Output>)? {
    get { state.withLock { $0.delegate } }
    set { state.withLock { $0.delegate = newValue } }
  }

  /// This outlet delivers the batches of the publisher's steps.
  func publisher(queue: DeliveryQueue) -> Publisher {
    Publisher(queue: queue, hasSubscribers: { self.hasSubscribers }) { self.deliver($0) }
  }

  /// True if there is a delegate or a subscriber.
  ///
  /// Otherwise no batch is made.
  private var hasSubscribers: Bool {
    let (tracker, delegate) = state.withLock { ($0.tracker, $0.delegate) }
    return tracker != nil && (delegate != nil || batches.hasSubscribers)
  }

  private func deliver(_ step: Publisher.Step) {
    let (tracker, delegate) = state.withLock { ($0.tracker, $0.delegate) }
    guard let tracker else { return }
    let batch = batch(of: step)
    delegate?.cacheTracker(tracker, didProcess: batch)
    batches.send(batch)
  }

  private func batch(of step: Publisher.Step) -> CacheTransactionBatch<Output> {
    guard let before = step.before else { return initialBatch(of: step.after, step.tag) }
    return CacheTransactionBatch(
      changes: step.changes, objectType: step.tag.objectType, filterValue: step.tag.filterValue,
      deleted: { output(before[$0]) }, fresh: { output(step.after[$0]) })
  }

  /// Returns a batch that inserts the whole list.
  func initialBatch(of list: List, _ request: CacheRequest<E>) -> CacheTransactionBatch<Output> {
    let objects = list.rowsBySection.map { $0.map(output) }
    let (type, tag) = (request.objectType, request.filterValue)
    return list.isSectioned
      ? CacheTransactionBatch(initial: objects, objectType: type, filterValue: tag)
      : CacheTransactionBatch(initialRows: objects[0], objectType: type, filterValue: tag)
  }
}
