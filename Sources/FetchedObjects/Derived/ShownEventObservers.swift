internal import Locking

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
