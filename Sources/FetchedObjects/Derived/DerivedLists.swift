internal import EntityStore
internal import ListDiffing
internal import Locking
internal import Relays

/// All lists that are derived from one model.
final class DerivedLists<E: Entity>: Sendable {
  let dependents = ListDependents<EntityView<E>>()
  let turns = ListTurns()
  /// The counts of the events that have been shown and delivered.
  ///
  /// Each event is both shown and delivered, in the same order, and in one delivery context.
  private let shownCount = AtomicWord(0)
  private let toldCount = AtomicWord(0)
  /// The changes that derived lists may have requested, by the numbers of events.
  private let known = Locked<[Int: LazyChanges]>([:])
  /// A flag that is set with the first event that a derived list receives.
  ///
  /// Until it is set, a model without derived lists does no work for them.
  private let isUsed = AtomicWord(0)

  private func origin(_ number: Int) -> EventOrigin {
    EventOrigin(list: ObjectIdentifier(self), number: number)
  }

  /// Updates derived lists to the result that the model shows, before any callback.
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

  /// Removes and returns the changes of the next event, if derived lists may have requested them.
  func takeChanges() -> LazyChanges? {
    if isUsed.load() == 0 { return nil }
    let number = toldCount.load() + 1
    return known.withLock { $0.removeValue(forKey: number) }
  }

  /// Delivers the next event to the subscribers of derived lists.
  func tell() {
    turns.tell(origin(toldCount.add(1)))
  }
}
