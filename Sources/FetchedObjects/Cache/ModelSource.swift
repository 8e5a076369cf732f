internal import EntityStore
internal import ListDiffing
internal import Locking
internal import Relays

/// A model as the source of what a teller shows and tells.
///
/// It is to the model what a derived list is: it shows an event before any callback of it runs, and is told
/// after the model's subscribers.
final class ModelSource<E: Entity>: ListSource, ListDependent, DerivedTeller {
  typealias Teller = ListTeller<FetchedObjectsSnapshot<E>, CacheRequest<E>>

  let model: FetchedObjectsModel<E>
  private weak let teller: Teller?
  private let token: SubscriptionToken

  /// Gives the events of a query's model to a teller, which is to follow this source afterwards.
  ///
  /// An external commit that the model has already is taken in, so the caller holds no lock.
  init(
    _ query: Query<E>, in store: Store, delivery: Delivery, teller: Teller,
    errors: Relay<any Error>
  ) throws {
    model = try FetchedObjectsModel(query, in: store, delivery: delivery, policy: .every)
    self.teller = teller
    token = model.errors.subscribe { [weak errors] in errors?.send($0) }
    model.derived.turns.add(self)
    model.derived.dependents.add(self)
    // Otherwise the teller's first step would tell of an external commit before others show it (F13).
    try store.takingInAhead { try $0(model.shown.version) }
  }

  var shown: FetchedObjectsSnapshot<E> { model.shown }

  func show(_ event: ListEvent<EntityView<E>>) {
    guard let before = event.before as? FetchedObjectsSnapshot<E>,
      let after = event.after as? FetchedObjectsSnapshot<E>
    else { preconditionFailure("A model's list is given as something other than its snapshots") }
    teller?.show(
      ListTeller.Event(before: before, after: after, changes: { event.changes }), from: self)
  }

  func tell(_ origin: EventOrigin) { teller?.tell() }
}
