internal import Locking

/// Hears of a model's events when they are shown, and again when the model's own subscribers have been called.
///
/// The model holds it weakly.
package final class ShownEventObserver<Snapshot: Sendable>: DerivedTeller {
  private let showing: @Sendable (ShownEvent<Snapshot>) -> Void
  private let notifying: @Sendable () -> Void

  /// Creates an observer of no model yet.
  ///
  /// - Parameters:
  ///   - showing: Is called with each event, before any callback of it.
  ///   - notifying: Is called when the model's subscribers have been called.
  package init(
    showing: @escaping @Sendable (ShownEvent<Snapshot>) -> Void,
    notifying: @escaping @Sendable () -> Void
  ) {
    self.showing = showing
    self.notifying = notifying
  }

  func show(_ event: ShownEvent<Snapshot>) { showing(event) }

  func tell(_ origin: EventOrigin) { notifying() }

  func notify() { notifying() }
}

extension ShownEventObserver: ListDependent where Snapshot: ListContent {
  typealias Row = Snapshot.Row

  func show(_ event: ListEvent<Snapshot.Row>) {
    guard let before = event.before as? Snapshot, let after = event.after as? Snapshot else {
      preconditionFailure("A model's list is given as something other than its snapshots")
    }
    showing(ShownEvent(before: before, after: after, lazyChanges: event.lazyChanges))
  }
}

extension FetchedObjectsModel {
  /// Calls an observer with the events from now on.
  package func add(_ observer: ShownEventObserver<FetchedObjectsSnapshot<E>>) {
    derived.turns.add(observer)
    derived.dependents.add(observer)
  }
}

/// The observers of a model whose list nothing is derived from; it doesn't keep them.
final class ShownEventObservers<Snapshot: Sendable>: Sendable {
  private struct Entry: Sendable {
    weak var observer: ShownEventObserver<Snapshot>?
  }

  private let entries = Locked<[Entry]>([])
  /// Whether there has ever been one, so that a model without them pays nothing.
  private let isUsed = AtomicWord(0)

  /// The observers that are there; the last holder runs a deinit, so they are held until the lock is gone.
  private var observers: [ShownEventObserver<Snapshot>] {
    entries.withLock { $0.compactMap { $0.observer } }
  }

  func add(_ observer: ShownEventObserver<Snapshot>) {
    isUsed.store(1)
    let held = observers
    entries.withLock { entries in
      entries.removeAll { $0.observer == nil }
      entries.append(Entry(observer: observer))
    }
    withExtendedLifetime(held) {}
  }

  func show(_ event: @autoclosure () -> ShownEvent<Snapshot>) {
    if isUsed.load() == 0 { return }
    let event = event()
    for observer in observers { observer.show(event) }
  }

  func notify() {
    if isUsed.load() == 0 { return }
    for observer in observers { observer.notify() }
  }
}
