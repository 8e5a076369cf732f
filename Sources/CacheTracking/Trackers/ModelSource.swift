internal import EntityStore
internal import FetchedObjects
internal import Locking
internal import Relays

/// A model as a source for a publisher.
final class ModelSource<E: Entity>: ListSource {
  typealias Publisher = ListPublisher<ListSnapshot<EntityView<E>>, CacheRequest<E>>

  let model: FetchedObjectsModel<E>
  /// The observer, which the model doesn't keep, and the subscription to errors.
  private let held = Locked<[any Sendable]>([])

  /// Creates a source that sends the events of a query's model to a publisher.
  ///
  /// The publisher has to follow this source afterwards.
  ///
  /// An external commit that the model already includes is merged, so the caller must hold no lock.
  ///
  /// - Throws: The errors of fetching.
  init(
    _ query: Query<E>, in store: Store, delivery: Delivery, publisher: Publisher,
    errors: Relay<any Error>
  ) throws {
    let model = try FetchedObjectsModel(query, in: store, delivery: delivery, policy: .every)
    self.model = model
    let observer = ShownEventObserver<EntityView<E>>(
      showing: { [weak self, weak publisher] event in
        guard let self else { return }
        publisher?.show(
          Publisher.Event(
            before: event.before, after: event.after, changes: { event.changes }),
          from: self)
      }, notifying: { [weak publisher] in publisher?.publish() })
    let token = model.errors.subscribe { [weak errors] in errors?.send($0) }
    held.withLock { $0 = [observer, token] }
    model.add(observer)
    // Otherwise the publisher's first step would show an external commit before other subscribers
    // see it (F13).
    try store.mergingAhead { try $0(model.shown.version) }
  }

  var shown: ListSnapshot<EntityView<E>> { model.shown }
}
