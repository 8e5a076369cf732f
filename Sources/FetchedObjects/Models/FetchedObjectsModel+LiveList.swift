internal import EntityStore
internal import Relays

extension FetchedObjectsModel: LiveList {
  /// A row: an object with its included values.
  public typealias Row = EntityView<E>

  /// The source for lists that are derived from this one.
  public var upstream: ListUpstream<EntityView<E>> {
    ListUpstream(
      owner: self, dependents: derived.dependents, turns: [derived.turns], place: place,
      shown: { [self] in shown }, error: { [self] in error }, errors: errors)
  }
}

extension FetchedObjectsModel {
  /// Calls an observer with all events from now on.
  package func add(_ observer: ShownEventObserver<FetchedObjectsSnapshot<E>>) {
    derived.turns.add(observer)
    derived.dependents.add(observer)
  }
}
