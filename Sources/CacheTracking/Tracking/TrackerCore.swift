internal import EntityStore
internal import ListDiffing
internal import Relays

/// The parts that cache trackers of every kind are made of: a publisher of list steps, and an outlet that makes batches
/// of them.
///
/// A tracker says what its list is and what its batches carry, and gives the core the sources that it follows.
struct TrackerCore<E: Entity, List: TrackedList, Output: Sendable>: Sendable {
  typealias Publisher = ListPublisher<List, CacheRequest<E>>
  typealias Outlet = BatchOutlet<E, List, Output>

  let store: Store
  let delivery: Delivery
  let outlet: Outlet
  let publisher: Publisher

  /// Creates the core of a tracker that follows nothing yet; `outlet.belong(to:)` names the tracker.
  ///
  /// - Parameters:
  ///   - store: Where the objects live.
  ///   - delivery: Where batches are made and delivered.
  ///   - output: Makes what batches carry of the object at a path.
  init(
    in store: Store, delivery: Delivery, output: @escaping @Sendable (List, ListPath) -> Output
  ) {
    self.store = store
    self.delivery = delivery
    let outlet = Outlet(output: output)
    self.outlet = outlet
    publisher = outlet.publisher(queue: store.queue(of: delivery))
  }

  /// The current list as a batch of insertions, from which the batches that follow lead on.
  func pull() -> CacheTransactionBatch<Output> {
    guard let (list, request) = publisher.pull() else { return CacheTransactionBatch() }
    return outlet.initialBatch(of: list, request)
  }

  /// The titles of the sections of the list that is shown.
  var sectionTitles: [String] { publisher.shown?.sectionTitles ?? [] }
}
