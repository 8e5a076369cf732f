public import EntityStore
public import ListDiffing
internal import Locking
public import Relays

/// A cache tracker that stands on a ``FetchedObjectsModel``.
///
/// Each object that comes or changes is transformed once for each event, in the tracker's place.
public final class FetchedObjectsCacheTracker<E: Entity, Output: Sendable>: CacheTracker {
  private struct State: Sendable {
    var request: CacheRequest<E>?
    var model: FetchedObjectsModel<E>?
    var token: SubscriptionToken?
    weak var delegate: (any CacheTrackerDelegate<Output>)?
  }

  private let store: Store
  private let delivery: Delivery
  private let transform: @Sendable (EntityView<E>) -> Output
  private let relay = Relay<CacheTransactionBatch<Output>>()
  private let state = Locked(State())

  /// A tracker that follows nothing yet.
  ///
  /// - Parameters:
  ///   - store: where the objects live.
  ///   - delivery: where batches are delivered.
  ///   - transform: makes what the batches carry of an object.
  public init(
    store: Store, delivery: Delivery = .immediate,
    transform: @escaping @Sendable (EntityView<E>) -> Output
  ) {
    self.store = store
    self.delivery = delivery
    self.transform = transform
  }

  /// Starts to follow `request`.
  ///
  /// In place of an earlier one, the difference is delivered as a batch.
  public func setup(with request: CacheRequest<E>) throws {
    let model = try FetchedObjectsModel(
      request.query, in: store, delivery: delivery, policy: .each)
    let token = model.didChange.subscribe { [weak self] event in
      self?.deliver(event.before, event.changes, event.after, request)
    }
    let old = state.withLock { state in
      let old = state
      state.request = request
      state.model = model
      state.token = token
      return old
    }
    old.token?.cancel()
    guard let before = old.model?.snapshot else { return }
    let after = model.snapshot
    var all: Set<StoredValue> = []
    before.result.rows.forEach { id, _ in all.insert(id) }
    after.result.rows.forEach { id, _ in all.insert(id) }
    let changes = listChanges(from: before.result, to: after.result, touching: all)
    deliver(before, changes, after, request)
  }

  /// The current objects as a batch of insertions, in the order of the list.
  public func transactionBatchFromCurrentCache() -> CacheTransactionBatch<Output> {
    let (model, request) = state.withLock { ($0.model, $0.request) }
    let filterValue = request?.filterValue
    let sections = model?.sections.map { section in section.map(transform) } ?? []
    guard request?.query.description.sectioning != nil else {
      return CacheTransactionBatch(
        initialRows: sections.first ?? [], objectType: E.entityName, filterValue: filterValue)
    }
    return CacheTransactionBatch(
      initial: sections, objectType: E.entityName, filterValue: filterValue)
  }

  /// One batch for each change of the result, and none for any other commit.
  public var batches: Signal<CacheTransactionBatch<Output>> { relay.signal }

  /// Called with each batch, before the subscribers.
  ///
  /// Held weakly.
  public var delegate: (any CacheTrackerDelegate<Output>)? {
    get { state.withLock { $0.delegate } }
    set { state.withLock { $0.delegate = newValue } }
  }

  private func deliver(
    _ before: FetchedObjectsSnapshot<E>, _ changes: ListChanges,
    _ after: FetchedObjectsSnapshot<E>, _ request: CacheRequest<E>
  ) {
    guard !changes.isEmpty else { return }
    let batch = CacheTransactionBatch(
      changes: changes, objectType: E.entityName, filterValue: request.filterValue,
      deleted: { transform(before[$0]) }, fresh: { transform(after[$0]) })
    delegate?.cacheTracker(didProcess: batch)
    relay.send(batch)
  }
}
