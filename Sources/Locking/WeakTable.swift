/// Objects by key, each for as long as something else holds it.
///
///     let queues = WeakTable<String, Queue>()
///     let queue = queues.object("mail") { Queue() }
///
/// Objects that nothing else holds any more, and keys, which may be an app's, are released when the
/// thread holds no lock.
@usableFromInline
package final class WeakTable<Key: Hashable & Sendable, Object: AnyObject & Sendable>: Sendable {
  @usableFromInline struct Entry: Sendable {
    @usableFromInline weak let object: Object?
  }

  @usableFromInline struct State: Sendable {
    @usableFromInline var all: [Key: Entry] = [:]
    /// The number of entries at which those of objects that are no longer in use are removed.
    var most = 16
  }

  @usableFromInline let state = Locked(State())

  package init() {}

  /// Returns the object with a key, or the new one that `make` returns if there is none.
  ///
  /// An object that isn't current is replaced. `isCurrent` may be called under a lock.
  ///
  /// - Complexity: O(1) on average.
  @inlinable package func object(
    _ key: Key, if isCurrent: (Object) -> Bool = { _ in true }, _ make: () -> Object
  ) -> Object {
    if let known = state.withLock({ $0.all[key]?.object }), isCurrent(known) { return known }
    return add(make(), key, if: isCurrent)
  }

  /// Removes a key whose object nothing else holds any more, for the object's `deinit`.
  ///
  /// - Complexity: O(1) on average.
  package func forget(_ key: Key) {
    // The table's key may hold the last reference to objects of an app, and another thread may
    // release a new object of that key meanwhile. So both are released when the lock isn't held any
    // more.
    let held = state.withLock { state -> (new: Object?, dropped: (Key, Entry)?) in
      guard let place = state.all.index(forKey: key) else { return (nil, nil) }
      if let new = state.all[place].value.object { return (new, nil) }
      return (nil, state.all.remove(at: place))
    }
    withExtendedLifetime(held) {}
  }

  /// The objects that something else holds, in no particular order.
  package var objects: [Object] { state.withLock { $0.all.values.compactMap { $0.object } } }

  /// Adds an object, unless another thread has added one since, which is returned then.
  @usableFromInline func add(
    _ new: Object, _ key: Key, if isCurrent: (Object) -> Bool
  ) -> Object {
    ReleasePool.open {
      state.withLock { state in
        if let other = state.all[key]?.object {
          let isKept = isCurrent(other)
          ReleasePool.add(isKept ? new : other)
          if isKept { return other }
        }
        if state.all.count >= state.most {
          ReleasePool.add((state, state.all.values.map { $0.object }))
          state.all = state.all.filter { $0.value.object != nil }
          state.most = max(16, 2 * state.all.count)
        }
        state.all[key] = Entry(object: new)
        return new
      }
    }
  }
}
