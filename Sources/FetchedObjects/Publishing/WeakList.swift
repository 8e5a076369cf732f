internal import Locking

/// Objects in the order in which they were added, held weakly.
///
/// Until the first is added, the list costs one look at an atomic word.
final class WeakList<Object: Sendable>: Sendable {
  private struct State {
    /// Closures that return the objects, because an existential of a class can't be a generic
    /// argument that is held weakly.
    var entries: [@Sendable () -> Object?] = []
    /// The number of entries at which those without an object are removed the next time.
    var sweep = 64

    /// Returns the objects, and removes the entries without one if there are many of them.
    mutating func sweptObjects() -> [Object] {
      let objects = entries.compactMap { $0() }
      if objects.count < entries.count / 2 || entries.count >= sweep {
        // An object that is found again isn't the last reference, since `objects` has one.
        entries.removeAll { $0() == nil }
        sweep = Swift.max(64, 2 * entries.count)
      }
      return objects
    }
  }

  private let state = Locked(State())
  private let isUsed = AtomicWord(0)

  /// The existing objects.
  ///
  /// They are held until the lock is released, because the last reference to one runs its `deinit`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of objects.
  var objects: [Object] {
    if isUsed.load() == 0 { return [] }
    return state.withLock { $0.sweptObjects() }
  }

  /// Adds the object that `object` returns, which should capture it weakly.
  ///
  /// - Complexity: O(1), amortised over several.
  func add(_ object: @escaping @Sendable () -> Object?) {
    isUsed.store(1)
    let held = state.withLock { state in
      let held = state.entries.count >= state.sweep ? state.sweptObjects() : []
      state.entries.append(object)
      return held
    }
    withExtendedLifetime(held) {}
  }
}
