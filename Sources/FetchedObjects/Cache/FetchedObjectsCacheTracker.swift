public import EntityStore
public import ListDiffing
internal import Locking
public import Relays

/// A cache tracker that stands on a ``FetchedObjectsModel``.
///
/// It remembers which result it told last, by a batch or by a pull, and every batch leads on from
/// there: a consumer that applies what it gets, in the order it gets it, has the list. Each object
/// that comes or changes is transformed once for each batch, in the tracker's place.
public final class FetchedObjectsCacheTracker<E: Entity, Output: Sendable>: CacheTracker {
  private struct State: Sendable {
    var request: CacheRequest<E>?
    var model: FetchedObjectsModel<E>?
    var token: SubscriptionToken?
    /// The result that the consumer has.
    var told: FetchedObjectsSnapshot<E>?
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
  /// In place of an earlier request, the difference is delivered as a batch, in the tracker's place:
  /// before this returns for `.immediate` outside a callback, and later otherwise.
  public func setup(with request: CacheRequest<E>) throws {
    let model = try FetchedObjectsModel(
      request.query, in: store, delivery: delivery, policy: .each)
    let token = model.didChange.subscribe { [weak self, weak model] event in
      if let self, let model { follow(model, event) }
    }
    let old = state.withLock { state in
      let old = state
      state.request = request
      state.model = model
      state.token = token
      if state.told == nil { state.told = model.snapshot }
      return old
    }
    old.token?.cancel()
    guard old.model != nil else { return }
    let queue = store.queue(of: delivery)
    queue.enqueue { [weak self] in self?.follow(model) }
    queue.run()
  }

  /// The current objects as a batch of insertions, in the order of the list.
  ///
  /// The batches that follow lead on from them.
  public func transactionBatchFromCurrentCache() -> CacheTransactionBatch<Output> {
    let (snapshot, request) = state.withLock { state in
      let snapshot = state.model?.snapshot
      state.told = snapshot
      return (snapshot, state.request)
    }
    let filterValue = request?.filterValue
    let sections = snapshot?.sections.map { section in section.map(transform) } ?? []
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

  /// Tells the way from the result that the consumer has to the one that `model` shows.
  ///
  /// Mostly that is what `event` says. After a pull or a new request the two are compared.
  private func follow(_ model: FetchedObjectsModel<E>, _ event: FetchedObjectsEvent<E>? = nil) {
    let after = model.snapshot
    let turn = state.withLock { state -> (FetchedObjectsSnapshot<E>, CacheRequest<E>)? in
      // Another request may have taken this one's place.
      guard state.model === model, let told = state.told, let request = state.request else {
        return nil
      }
      state.told = after
      return (told, request)
    }
    guard let (before, request) = turn, before.result.base !== after.result.base else { return }
    let changes: ListChanges
    if let event, event.before.result.base === before.result.base,
      event.after.result.base === after.result.base
    {
      changes = event.changes
    } else {
      changes = listChanges(from: before.result, to: after.result, touching: nil)
    }
    guard !changes.isEmpty else { return }
    let batch = CacheTransactionBatch(
      changes: changes, objectType: E.entityName, filterValue: request.filterValue,
      deleted: { transform(before[$0]) }, fresh: { transform(after[$0]) })
    delegate?.cacheTracker(didProcess: batch)
    relay.send(batch)
  }
}
