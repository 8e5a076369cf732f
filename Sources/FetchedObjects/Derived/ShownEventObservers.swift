internal import Locking

/// The observers of a model from which no lists can be derived.
///
/// They are held weakly.
final class ShownEventObservers<Snapshot: Sendable>: Sendable {
  private struct Entry: Sendable {
    weak var observer: ShownEventObserver<Snapshot>?
  }

  private let entries = Locked<[Entry]>([])
  /// A flag that is set when the first observer is added.
  ///
  /// Until it is set, a model without observers does no work for them.
  private let isUsed = AtomicWord(0)

  /// The existing observers.
  ///
  /// They are held until the lock is released, because the last reference to one runs its `deinit`.
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
