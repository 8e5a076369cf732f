internal import EntityStore
internal import ListDiffing
internal import Locking
internal import Relays

/// All that is derived from one model.
final class DerivedLists<E: Entity>: Sendable {
  let dependents = ListDependents<EntityView<E>>()
  let turns = ListTurns()
  /// How many events have been shown, and how many told: each is both, in the same order, and all in one
  /// place.
  private let shownCount = AtomicWord(0)
  private let toldCount = AtomicWord(0)
  /// The changes that derived lists may have asked for, by the numbers of events.
  private let known = Locked<[Int: LazyChanges]>([:])
  /// Whether there have ever been any, so that a model that nothing is derived from pays nothing.
  private let isUsed = AtomicWord(0)

  private func origin(_ number: Int) -> EventOrigin {
    EventOrigin(list: ObjectIdentifier(self), number: number)
  }

  /// Brings derived lists to what the model shows, before anybody is called.
  func show(_ event: ResultEvent) {
    let number = shownCount.add(1)
    if dependents.isEmpty { return }
    let changes = LazyChanges { ListChanges(event) }
    known.withLock { $0[number] = changes }
    isUsed.store(1)
    dependents.show(
      ListEvent(
        before: FetchedObjectsSnapshot<E>(result: event.before), lazyChanges: changes,
        after: FetchedObjectsSnapshot<E>(result: event.after), versions: event.versions,
        origin: origin(number), isWhole: event.before.plan !== event.after.plan, group: nil))
  }

  /// The changes of the event that is to be told, if derived lists may have asked for them; they are
  /// forgotten.
  func takeChanges() -> LazyChanges? {
    if isUsed.load() == 0 { return nil }
    let number = toldCount.load() + 1
    return known.withLock { $0.removeValue(forKey: number) }
  }

  /// Calls the subscribers of derived lists, of the next event.
  func tell() {
    turns.tell(origin(toldCount.add(1)))
  }
}
