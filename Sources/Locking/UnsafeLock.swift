public import CLocking

/// A lock at an address, for objects that guard their own fields.
///
///     let lock = UnsafeLock.allocate()
///     lock.withLock { count += 1 }
///     lock.deallocate()
///
/// While it is held, call nothing that can run a user's code. The lock isn't recursive.
public struct UnsafeLock: @unchecked Sendable {
  // @unchecked: the lock guards itself.
  @usableFromInline let pointer: UnsafeMutablePointer<sb_lock>

  @usableFromInline init(pointer: UnsafeMutablePointer<sb_lock>) { self.pointer = pointer }

  /// Returns a new lock, which lives until `deallocate` is called.
  public static func allocate() -> UnsafeLock {
    let pointer = UnsafeMutablePointer<sb_lock>.allocate(capacity: 1)
    pointer.initialize(to: sb_lock())
    sb_lock_init(pointer)
    return UnsafeLock(pointer: pointer)
  }

  /// Deallocates a lock that `allocate` returned.
  public func deallocate() {
    sb_lock_destroy(pointer)
    pointer.deallocate()
  }

  /// Returns one of a fixed number of locks, in turn.
  ///
  /// A shared lock costs an object only a pointer. Other objects may use the same lock. So don't
  /// wait, take another lock or run a user's code while it is held.
  public static func shared() -> UnsafeLock { UnsafeLock(pointer: sb_shared_lock()) }

  /// Waits for the lock and takes it.
  @inlinable public func lock() { sb_lock_lock(pointer) }

  /// Releases the lock.
  @inlinable public func unlock() { sb_lock_unlock(pointer) }

  /// Calls `body` while the lock is held.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error that `body` throws.
  @inlinable public func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    sb_lock_lock(pointer)
    defer { sb_lock_unlock(pointer) }
    return try body()
  }
}
