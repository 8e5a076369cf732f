internal import EntityStore
internal import ListDiffing
internal import Locking
internal import Relays

/// All that is derived from one model.
final class DerivedLists<E: Entity>: Sendable {
  let dependents = ListDependents<EntityView<E>>()
  let turns = ListTurns()
  private let state = Locked(State())

  private struct State: Sendable {
    /// How many events have been shown, and how many told: each is both, in the same order.
    var shown = 0
    var told = 0
    /// The changes that derived lists may have asked for, by the numbers of events.
    var known: [Int: LazyChanges] = [:]
  }

  private func origin(_ number: Int) -> EventOrigin {
    EventOrigin(list: ObjectIdentifier(self), number: number)
  }

  /// Brings derived lists to what the model shows, before anybody is called.
  func show(_ event: ResultEvent) {
    let number = state.withLock { state in
      state.shown += 1
      return state.shown
    }
    if dependents.isEmpty { return }
    let changes = LazyChanges { ListChanges(event) }
    state.withLock { $0.known[number] = changes }
    dependents.show(
      ListEvent(
        before: FetchedObjectsSnapshot<E>(result: event.before), lazyChanges: changes,
        after: FetchedObjectsSnapshot<E>(result: event.after), versions: event.versions,
        origin: origin(number), isWhole: event.before.plan !== event.after.plan, group: nil))
  }

  /// The changes of the event that is to be told, if derived lists may have asked for them; they are
  /// forgotten.
  func takeChanges() -> LazyChanges? {
    state.withLock { $0.known.removeValue(forKey: $0.told + 1) }
  }

  /// Calls the subscribers of derived lists, of the next event.
  func tell() {
    let number = state.withLock { state in
      state.told += 1
      return state.told
    }
    turns.tell(origin(number))
  }
}

extension FetchedObjectsModel: LiveList {
  /// A row: an object with its included values.
  public typealias Row = EntityView<E>

  /// What lists that are derived from this one stand on.
  public var upstream: ListUpstream<EntityView<E>> {
    ListUpstream(
      owner: self, dependents: derived.dependents, turns: [derived.turns], place: place,
      shown: { [self] in shown }, error: { [self] in error }, errors: errors)
  }
}
