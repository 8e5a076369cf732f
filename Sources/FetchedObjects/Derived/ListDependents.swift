internal import Locking

/// The lists that are derived from a list directly.
///
/// They are held weakly.
final class ListDependents<Row: Sendable>: Sendable {
  private struct Entry: Sendable {
    weak var dependent: (any ListDependent<Row>)?
  }

  private let entries = Locked<[Entry]>([])
  /// A flag that is set when the first entry is added.
  ///
  /// Until it is set, a list without dependents does no work for them.
  private let isUsed = AtomicWord(0)

  // The code below uses closures, because a key path of a generic type is created again at each
  // use.

  /// The existing lists.
  ///
  /// They are held until the lock is released, because the last reference to one runs its `deinit`.
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
