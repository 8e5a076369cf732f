internal import EntityStore
internal import Relays

/// The parts of every cache tracker: a publisher of list steps, and an outlet that turns them into
/// batches.
///
/// A tracker determines its list and the output of its batches. It gives the core the sources to
/// follow.
struct TrackerCore<E: Entity, List: TrackedList, Output: Sendable>: Sendable {
  typealias Publisher = ListPublisher<List, CacheRequest<E>>
  typealias Outlet = BatchOutlet<E, List, Output>

  let store: Store
  let delivery: Delivery
  let outlet: Outlet
  let publisher: Publisher

  /// Creates the core of a tracker that doesn't follow a request yet.
  ///
  /// Call `outlet.belong(to:)` to set the tracker. `output` returns the output of a batch for a
  /// row.
  init(
    in store: Store, delivery: Delivery, output: @escaping @Sendable (List.Row) -> Output
  ) {
    self.store = store
    self.delivery = delivery
    let outlet = Outlet(output: output)
    self.outlet = outlet
    publisher = outlet.publisher(queue: store.queue(of: delivery))
  }

  /// Returns the current list as a batch of insertions.
  ///
  /// The following batches continue from it.
  func pull() -> CacheTransactionBatch<Output> {
    guard let (list, request) = publisher.pull() else { return CacheTransactionBatch() }
    return outlet.initialBatch(of: list, request)
  }

  func pause() { publisher.pause() }

  func resume() {
    publisher.resume()
    publisher.catchUp()
  }

  var sectionTitles: [String] { publisher.shown?.sectionTitles ?? [] }
}
