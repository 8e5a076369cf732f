internal import Locking

/// A cache of the most recently read objects, for several threads.
///
///     let (found, generation) = cache.objects(keys)
///     // Read the objects that are nil here, without a lock.
///     cache.insert(read, readAt: generation)
///
/// Objects that may have changed are forgotten where a commit is installed. That may be under a
/// lock of the store, where an object's own `deinit` must not run (R3). So forgotten objects are
/// kept until `release()` or the next read.
final class SharedObjectCache<Key: Hashable & Sendable, Object: Sendable>: Sendable {
  private struct State: Sendable {
    var cache: ObjectCache<Key, Object>
    /// The objects that have been forgotten and aren't released yet.
    var forgotten: [Object] = []
  }

  private let state: Locked<State>

  init(capacity: Int) { state = Locked(State(cache: ObjectCache(capacity: capacity))) }

  var count: Int { state.withLock { $0.cache.count } }

  /// Returns the object with a key, or nil if it isn't kept.
  func object(_ key: Key) -> Object? { state.withLock { $0.cache.object(key) } }

  /// Returns the kept objects with some keys, and the generation for reading the others.
  ///
  /// It releases forgotten objects, so the caller must hold no lock.
  func objects(_ keys: [Key]) -> (found: [Object?], generation: Int) {
    release()
    return state.withLock { state in (keys.map { state.cache.object($0) }, state.cache.generation) }
  }

  /// Inserts objects that were read in a generation, unless any may have changed since.
  ///
  /// The caller must hold no lock.
  func insert(_ objects: [(key: Key, object: Object)], readAt generation: Int) {
    // Removed objects are released after the lock.
    let left = state.withLock { state in
      objects.map { state.cache.insert($0.object, for: $0.key, readAt: generation) }
    }
    withExtendedLifetime(left) {}
  }

  /// Forgets objects that may have changed; nil means all.
  ///
  /// `release()` releases them.
  func forget(_ keys: [Key]?) {
    state.withLock { $0.forgotten += $0.cache.forget(keys) }
  }

  /// Releases the forgotten objects.
  ///
  /// The caller must hold no lock.
  func release() {
    let forgotten = state.withLock { state in
      defer { state.forgotten = [] }
      return state.forgotten
    }
    withExtendedLifetime(forgotten) {}
  }
}
