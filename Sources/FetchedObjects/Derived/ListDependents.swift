internal import Locking

/// The lists that are derived from a list directly; it doesn't keep them.
final class ListDependents<Row: Sendable>: Sendable {
  private struct Entry: Sendable {
    weak var dependent: (any ListDependent<Row>)?
  }

  private let entries = Locked<[Entry]>([])
  /// Whether there has ever been one, so that who has none pays nothing.
  private let isUsed = AtomicWord(0)

  // Closures below, since a key path of a generic type is made anew at each use.

  /// Those that are there; the last holder runs a deinit, so they are held until the lock is gone.
  private var dependents: [any ListDependent<Row>] {
    entries.withLock { $0.compactMap { $0.dependent } }
  }

  var isEmpty: Bool { isUsed.load() == 0 || dependents.isEmpty }

  func add(_ dependent: some ListDependent<Row>) {
    isUsed.store(1)
    let held = entries.withLock { entries in
      let held = entries.compactMap { $0.dependent }
      entries.removeAll { $0.dependent == nil }
      entries.append(Entry(dependent: dependent))
      return held
    }
    withExtendedLifetime(held) {}
  }

  func show(_ event: ListEvent<Row>) {
    if isUsed.load() == 0 { return }
    for dependent in dependents { dependent.show(event) }
  }
}
