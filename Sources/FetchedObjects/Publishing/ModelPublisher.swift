internal import ListDiffing
internal import Locking
internal import Relays

/// The part of a model that publishes what its follower shows: first to derived lists and
/// Observation, then to subscribers.
///
/// The follower holds it. A feed may keep the follower after the model is deallocated, so the
/// publisher doesn't hold the model's signals, which end with the model (R6).
final class ModelPublisher<Value: PublishedValue, Row: Diffable & Sendable>: EventReceiver {
  typealias Event = PendingChanges<Value>.Event

  let dependents = WeakList<any ListDependent<Row>>()
  let notifiers = WeakList<any ListNotifier>()
  let tracking = ListTracking()
  private weak let signals: ListSignals<Row>?
  let content: @Sendable (Value) -> any ListContent<Row>
  /// The counts of the events that have been shown, and that have been delivered or dropped.
  ///
  /// Each event is shown, and then delivered or dropped, in the same order and in one delivery
  /// context.
  private let shownCount = AtomicWord(0)
  private let deliveredCount = AtomicWord(0)
  /// The changes of events that are shown and not delivered yet, by number.
  ///
  /// A derived list may have computed them already.
  private let known = Locked<[Int: LazyChanges]>([:])
  /// A flag that is set with the first event that a derived list receives.
  ///
  /// Until it is set, a model without derived lists does no work for them.
  private let hasDependents = AtomicWord(0)

  init(
    _ signals: ListSignals<Row>, content: @escaping @Sendable (Value) -> any ListContent<Row>
  ) {
    self.signals = signals
    self.content = content
  }

  var subscriptionCount: Int { signals?.subscriptionCount ?? 0 }

  private func origin(_ number: Int) -> EventOrigin {
    EventOrigin(list: ObjectIdentifier(self), number: number)
  }

  /// Updates derived lists to the result that the model shows.
  func show(_ event: Event) {
    let number = shownCount.add(1)
    let dependents = dependents.objects
    if dependents.isEmpty { return }
    let changes = LazyChanges { Value.changes(of: event) }
    known.withLock { $0[number] = changes }
    hasDependents.store(1)
    let shown = ShownEvent(
      before: content(event.before), changes: changes, after: content(event.after),
      versions: event.versions, origin: origin(number),
      isNewQuery: event.before.plan !== event.after.plan,
      reordered: Set(event.after.reordered(since: event.before)))
    for dependent in dependents { dependent.show(shown) }
  }

  func deliver(_ event: Event) {
    let number = deliveredCount.add(1)
    defer { for notifier in notifiers.objects { notifier.notify(origin(number)) } }
    let changes =
      hasDependents.load() == 0 ? nil : known.withLock { $0.removeValue(forKey: number) }
    guard let signals else { return }
    // Changes are computed only if somebody uses them.
    guard signals.hasSubscribers || tracking.isInUse else {
      if event.endsError { tracking.errorHasChanged() }
      return
    }
    let listChanges = changes?.value ?? Value.changes(of: event)
    // Sums are compared only if there is no other change.
    let hasNews = !listChanges.isEmpty || Value.changesSummaries(event)
    let isWider = hasNews || Value.isWiderThanChanges(event)
    if tracking.isInUse {
      tracking.hasChanged(
        listChanges, from: content(event.before), to: content(event.after), isWider: isWider,
        unnamed: Value.sectionsChangedUnnamed(event))
    }
    if event.endsError { tracking.errorHasChanged() }
    if hasNews {
      signals.send(
        ListEvent(
          before: ListSnapshot(content: content(event.before)), changes: listChanges,
          after: ListSnapshot(content: content(event.after)), versions: event.versions))
    }
    // Merged commits may have led back, or one that couldn't be read. A client may wait for the
    // version of one of them.
    if isWider || event.endsError || event.versions.count > 1 { signals.updates.send(()) }
  }

  func drop(_ event: Event) {
    let number = deliveredCount.add(1)
    _ = known.withLock { $0.removeValue(forKey: number) }
  }

  func deliver(_ error: any Error) {
    tracking.errorHasChanged()
    signals?.errors.send(error)
    for notifier in notifiers.objects { notifier.deliver(error) }
  }
}
