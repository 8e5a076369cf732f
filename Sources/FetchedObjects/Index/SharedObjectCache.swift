internal import Locking

/// The objects that were read last, for several threads.
///
///     let (found, generation) = cache.objects(keys)
///     // Those that are nil are read here, under no lock.
///     cache.insert(read, readAt: generation)
///
/// What may have changed is forgotten where a commit is taken in, which may be under a lock of the store's. There an
/// object's own `deinit` must not run (R3), so it is kept aside until `release()`, or until the next reading.
final class SharedObjectCache<Key: Hashable & Sendable, Object: Sendable>: Sendable {
  private struct State: Sendable {
    var cache: ObjectCache<Key, Object>
    /// What has been forgotten and isn't released yet.
    var forgotten: [Object] = []
  }

  private let state: Locked<State>

  /// Creates a cache of at most `capacity` objects.
  init(capacity: Int) { state = Locked(State(cache: ObjectCache(capacity: capacity))) }

  /// How many objects it has.
  var count: Int { state.withLock { $0.cache.count } }

  /// The object with a key, if it is kept.
  func object(_ key: Key) -> Object? { state.withLock { $0.cache.object(key) } }

  /// The objects with some keys, where they are kept, and the generation at which the others are to be read.
  ///
  /// It releases what has been forgotten, so no lock may be held.
  func objects(_ keys: [Key]) -> (found: [Object?], generation: Int) {
    release()
    return state.withLock { state in (keys.map { state.cache.object($0) }, state.cache.generation) }
  }

  /// Keeps objects that were read at a generation, unless any may have changed since; no lock may be held.
  func insert(_ objects: [(key: Key, object: Object)], readAt generation: Int) {
    // What is let go of is released when the lock is gone.
    let left = state.withLock { state in
      objects.flatMap { state.cache.insert($0.object, for: $0.key, readAt: generation) }
    }
    withExtendedLifetime(left) {}
  }

  /// Forgets objects that may have changed, nil is all; `release()` releases them.
  func forget(_ keys: [Key]?) {
    state.withLock { $0.forgotten += $0.cache.forget(keys) }
  }

  /// Releases what has been forgotten; no lock may be held.
  func release() {
    let forgotten = state.withLock { state in
      defer { state.forgotten = [] }
      return state.forgotten
    }
    withExtendedLifetime(forgotten) {}
  }
}
