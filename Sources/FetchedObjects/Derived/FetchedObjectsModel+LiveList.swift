internal import EntityStore
internal import ListDiffing
internal import Locking
internal import Relays

/// All that is derived from one model.
final class DerivedLists<E: Entity>: Sendable {
  let dependents = ListDependents<EntityView<E>>()
  let turns = ListTurns()
  /// The changes that have been worked out for derived lists, and whose events haven't been told.
  private let known = Locked<[(event: ObjectIdentifier, changes: ListChanges)]>([])

  /// Brings derived lists to what the model shows, before anybody is called.
  func show(_ event: ResultEvent) {
    if dependents.isEmpty { return }
    let changes = ListChanges(event)
    known.withLock { $0.append((ObjectIdentifier(event.after), changes)) }
    dependents.show(
      ListEvent(
        before: FetchedObjectsSnapshot<E>(result: event.before), changes: changes,
        after: FetchedObjectsSnapshot<E>(result: event.after), versions: event.versions,
        origin: ObjectIdentifier(event.after), group: nil))
  }

  /// The changes of an event, if they have been worked out; they are forgotten.
  func takeChanges(of event: ResultEvent) -> ListChanges? {
    known.withLock { known in
      guard let first = known.first, first.event == ObjectIdentifier(event.after) else {
        return nil
      }
      known.removeFirst()
      return first.changes
    }
  }

  /// Calls the subscribers of derived lists.
  func tell(_ event: ResultEvent) { turns.tell(ObjectIdentifier(event.after)) }
}

extension FetchedObjectsModel: LiveList {
  /// A row: an object with its included values.
  public typealias Row = EntityView<E>

  /// What lists that are derived from this one stand on.
  public var upstream: ListUpstream<EntityView<E>> {
    ListUpstream(
      owner: self, dependents: derived.dependents, turns: [derived.turns], place: place,
      shown: { [self] in snapshot }, error: { [self] in error }, errors: errors)
  }
}
