/// The objects of the calling thread that wait to be released until it holds no lock.
///
/// Releasing the last reference to a row, an observer or an error runs a `deinit`. It may be a
/// user's, and may use the same store. So a function that replaces an object under a lock adds the
/// old one to the pool:
///
///     ReleasePool.open {
///       lock.withLock { state in
///         ReleasePool.add(state.row)
///         state.row = newRow
///       }
///     }  // the old row is released here
///
/// A pool belongs to the thread that has opened it.
package final class ReleasePool {
  private static let closed = 0
  private static let empty = 1

  @exclusivity(unchecked) private var objects: ContiguousArray<Any> = []

  /// Calls `body` and then releases the objects that it has added.
  ///
  /// If the thread already has an open pool, that one releases them. The caller holds no lock, or
  /// one of its callers has opened a pool before it took a lock.
  package static func open<Result>(_ body: () throws -> Result) rethrows -> Result {
    CurrentThread[.pool] == closed ? try openInner(body) : try body()
  }

  /// Calls `body` and then releases the objects that it has added, also inside another pool.
  ///
  /// The caller holds no lock.
  package static func openInner<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = CurrentThread[.pool]
    CurrentThread[.pool] = empty
    defer {
      let pool = CurrentThread[.pool]
      // The outer pool is restored before anything is released: a `deinit` may open a pool, too.
      CurrentThread[.pool] = outer
      if pool != empty { unmanaged(pool).release() }
    }
    return try body()
  }

  /// Keeps an object until the pool of this thread closes.
  ///
  /// - Precondition: A pool is open.
  package static func add(_ object: some Any) {
    let word = CurrentThread[.pool]
    if word != closed && word != empty {
      return unmanaged(word).takeUnretainedValue().append(object)
    }
    assert(word == empty, "An object is to be released later and no pool is open")
    if word == closed { return }
    let pool = ReleasePool()
    pool.append(object)
    CurrentThread[.pool] = Int(bitPattern: Unmanaged.passRetained(pool).toOpaque())
  }

  private func append(_ object: some Any) {
    if objects.isEmpty { objects.reserveCapacity(8) }
    objects.append(object)
  }

  private static func unmanaged(_ word: Int) -> Unmanaged<ReleasePool> {
    guard let pointer = UnsafeRawPointer(bitPattern: word) else {
      preconditionFailure("A pool is used that is closed")
    }
    return Unmanaged.fromOpaque(pointer)
  }
}
