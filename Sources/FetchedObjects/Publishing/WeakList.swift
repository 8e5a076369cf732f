internal import Locking

/// Objects in the order in which they were added, held weakly.
///
/// Until the first is added, the list costs one look at an atomic word.
final class WeakList<Object: Sendable>: Sendable {
  /// Closures that return the objects, because an existential of a class can't be a generic
  /// argument that is held weakly.
  private let entries = Locked<[@Sendable () -> Object?]>([])
  private let isUsed = AtomicWord(0)

  /// The existing objects.
  ///
  /// They are held until the lock is released, because the last reference to one runs its `deinit`.
  var objects: [Object] {
    if isUsed.load() == 0 { return [] }
    return entries.withLock { $0.compactMap { $0() } }
  }

  /// Adds the object that `object` returns, which should capture it weakly.
  func add(_ object: @escaping @Sendable () -> Object?) {
    isUsed.store(1)
    let held = entries.withLock { entries in
      let all = entries.map { ($0, $0()) }
      entries = all.filter { $0.1 != nil }.map(\.0) + [object]
      return all
    }
    withExtendedLifetime(held) {}
  }
}
