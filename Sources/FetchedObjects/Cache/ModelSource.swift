internal import EntityStore
internal import ListDiffing
internal import Locking
internal import Relays

/// A model as the source of what a teller tells.
final class ModelSource<E: Entity>: ListSource {
  let model: FetchedObjectsModel<E>
  private let tokens = Locked<[SubscriptionToken]>([])

  init(
    _ query: Query<E>, in store: Store, delivery: Delivery, errors: Relay<any Error>
  ) throws {
    model = try FetchedObjectsModel(query, in: store, delivery: delivery, policy: .each)
    let error = model.errors.subscribe { [weak errors] in errors?.send($0) }
    tokens.withLock { $0 = [error] }
  }

  /// Gives the model's events to a teller, which is to follow this source afterwards.
  func tell<Tag>(_ teller: ListTeller<FetchedObjectsSnapshot<E>, Tag>) {
    let token = model.didChange.subscribe { [weak self, weak teller] event in
      guard let self else { return }
      teller?.take(
        ListTeller.Event(before: event.before, after: event.after, changes: { event.changes }),
        from: self)
    }
    tokens.withLock { $0.append(token) }
  }

  var shown: FetchedObjectsSnapshot<E> { model.shown }
}
